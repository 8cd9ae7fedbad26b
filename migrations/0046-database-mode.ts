import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The mode of a database: live or test. It is recorded once, by the first start, so that a reset of a test system can never empty
 * live books. The triggers that refuse to empty tables allow it to the reset of a test system only (ADR 61).
 */
export class DatabaseMode0046 implements MigrationInterface {
  readonly name = 'DatabaseMode1764288000046';

  async up(database: QueryRunner): Promise<void> {
    await database.query(MODE);
    await database.query(RESET);
    await database.query(keepClosedBundles(ALLOW_RESET));
    await database.query(keepReconciledDeposits(ALLOW_RESET));
    await database.query(recordEmptiedTable(ALLOW_RESET));
  }

  async down(database: QueryRunner): Promise<void> {
    await database.query(recordEmptiedTable(''));
    await database.query(keepReconciledDeposits(''));
    await database.query(keepClosedBundles(''));
    await database.query(`
      DROP FUNCTION is_test_reset;
      DROP TABLE database_mode;
      DROP FUNCTION refuse_mode_change;
    `);
  }
}

const MODE = `
  -- Empty until the first start of a new database.
  CREATE TABLE database_mode (
    only_row    boolean NOT NULL DEFAULT true,
    mode        text NOT NULL,
    recorded_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT database_mode_pkey PRIMARY KEY (only_row),
    CONSTRAINT database_mode_only_row CHECK (only_row),
    CONSTRAINT database_mode_known CHECK (mode IN ('live', 'test'))
  );

  CREATE FUNCTION refuse_mode_change() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    RAISE 'the mode of a database never changes' USING ERRCODE = 'insufficient_privilege';
  END $$;
  CREATE TRIGGER database_mode_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON database_mode
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_mode_change();
  -- Also in a session that takes itself for a replica.
  ALTER TABLE database_mode ENABLE ALWAYS TRIGGER database_mode_stays;

  -- A database that is in use was made by a version without modes, so it is live.
  INSERT INTO database_mode (mode)
  SELECT 'live' WHERE EXISTS (SELECT FROM app_user) OR EXISTS (SELECT FROM contribution);
`;

const RESET = `
  -- Whether this transaction is the reset of a test system: the database is one, and the audit trail says that it is emptied.
  CREATE FUNCTION is_test_reset() RETURNS boolean LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
    SELECT EXISTS (SELECT FROM public.database_mode WHERE mode = 'test')
      AND public.is_recorded('database', '{database.reset}')
  $$;
`;

const ALLOW_RESET = 'IF public.is_test_reset() THEN RETURN NULL; END IF;\n    ';

/** As in 0010. */
function keepClosedBundles(first: string): string {
  return `
  CREATE OR REPLACE FUNCTION keep_closed_bundles() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    closed integer := (SELECT min(id) FROM bundle WHERE status = 0);
  BEGIN
    ${first}IF closed IS NOT NULL THEN PERFORM refuse_closed_bundle(closed, 'what it holds cannot change'); END IF;
    RETURN NULL;
  END $$;
  `;
}

/** As in 0034. */
function keepReconciledDeposits(first: string): string {
  return `
  CREATE OR REPLACE FUNCTION keep_reconciled_deposits() RETURNS trigger LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp AS $$
  DECLARE
    reconciled integer := (SELECT min(id) FROM public.deposit WHERE reconciled_at IS NOT NULL);
  BEGIN
    ${first}IF reconciled IS NOT NULL THEN PERFORM public.refuse_reconciled_deposit(reconciled); END IF;
    RETURN NULL;
  END $$;
  `;
}

/** As in 0026. */
function recordEmptiedTable(first: string): string {
  return `
  CREATE OR REPLACE FUNCTION record_emptied_table() RETURNS trigger LANGUAGE plpgsql
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  BEGIN
    ${first}PERFORM public.record_outside_change(TG_ARGV[0], TG_ARGV[1],
      jsonb_build_object('table', TG_TABLE_NAME, 'operation', TG_OP));
    RETURN NULL;
  END $$;
  `;
}
