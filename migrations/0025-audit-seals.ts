import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Seals of the audit trail: each keeps a hash of every entry in a range of ids, and the hash of the seal before. Only
 * entries whose ids are settled are sealed, so each transaction that adds an entry announces above which id its own will
 * lie, as for contributions (ADR 18, ADR 41).
 */
export class AuditSeals0025 implements MigrationInterface {
  readonly name = 'AuditSeals1764288000025';

  async up(database: QueryRunner): Promise<void> {
    await database.query(SETTLED);
    await database.query(`
      -- entry_hashes: the SHA-256 of each entry, 32 bytes each, in the order of entry_ids. first_id to last_id: the range,
      -- which begins after that of the seal before. previous_hash: that seal's hash, and 32 zero bytes in the first seal.
      -- Being unique, it lets no second seal follow the same one. src/audit/seals/hashes.ts says what is hashed.
      CREATE TABLE audit_seal (
        number        integer NOT NULL,
        sealed_at     timestamptz NOT NULL,
        first_id      integer NOT NULL,
        last_id       integer NOT NULL,
        entry_ids     integer[] NOT NULL,
        entry_hashes  bytea NOT NULL,
        previous_hash bytea NOT NULL,
        hash          bytea NOT NULL,
        CONSTRAINT audit_seal_pkey PRIMARY KEY (number),
        CONSTRAINT audit_seal_one_successor UNIQUE (previous_hash),
        CONSTRAINT audit_seal_hash_key UNIQUE (hash),
        CONSTRAINT audit_seal_number_positive CHECK (number > 0),
        CONSTRAINT audit_seal_range CHECK (first_id <= last_id),
        CONSTRAINT audit_seal_hashes_whole CHECK (
          octet_length(hash) = 32 AND octet_length(previous_hash) = 32 AND cardinality(entry_ids) > 0
          AND octet_length(entry_hashes) = 32 * cardinality(entry_ids))
      );

      ${refuseChange("TG_TABLE_NAME || ' is only ever added to'")}
      CREATE TRIGGER audit_seal_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_seal
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
      ALTER TABLE audit_seal ENABLE ALWAYS TRIGGER audit_seal_append_only;
    `);
  }

  async down(database: QueryRunner): Promise<void> {
    await database.query(`
      DELETE FROM job WHERE queue IN ('seal-audit-trail', 'log-audit-seal');
      DROP TABLE audit_seal;
      ${refuseChange("'audit_entry is only ever added to'")}
      DROP TRIGGER audit_entry_announced ON audit_entry;
      DROP FUNCTION settled_audit_entries, announce_audit_entry;
    `);
  }
}

function refuseChange(message: string): string {
  return `
    CREATE OR REPLACE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE '%', ${message} USING ERRCODE = 'insufficient_privilege';
    END $$;`;
}

/** They run with the owner's rights, because the service's role may not read sequences. */
const SETTLED = `
  -- Before a transaction takes its first id. Once in a transaction, or many entries of one would fill the server's table
  -- of locks. The lock is released after the entries can be seen.
  CREATE FUNCTION announce_audit_entry() RETURNS trigger LANGUAGE plpgsql
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  BEGIN
    IF current_setting('offertory.audit_announced', true) = 'yes' THEN RETURN NULL; END IF;
    PERFORM pg_advisory_xact_lock_shared(hashtext('audit_entry.id'), (last_value - (NOT is_called)::integer)::integer)
      FROM public.audit_entry_id_seq;
    PERFORM set_config('offertory.audit_announced', 'yes', true);
    RETURN NULL;
  END $$;
  CREATE TRIGGER audit_entry_announced BEFORE INSERT ON audit_entry
    FOR EACH STATEMENT EXECUTE FUNCTION announce_audit_entry();
  ALTER TABLE audit_entry ENABLE ALWAYS TRIGGER audit_entry_announced;

  -- Up to which id entries are settled: the next statement can see an entry with such an id, or it will never exist. The
  -- last id is read before the locks: a transaction that locks later takes higher ids.
  CREATE FUNCTION settled_audit_entries() RETURNS integer LANGUAGE plpgsql
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  DECLARE
    last_id integer := (SELECT last_value - (NOT is_called)::integer FROM public.audit_entry_id_seq);
  BEGIN
    -- pg_locks shows both halves of such a key as unsigned numbers.
    RETURN (
      SELECT least(last_id, min(objid::bigint::bit(32)::integer)) FROM pg_locks
      WHERE locktype = 'advisory' AND objsubid = 2 AND classid::bigint::bit(32)::integer = hashtext('audit_entry.id')
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database()));
  END $$;
`;
