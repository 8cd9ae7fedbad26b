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
    await database.query(ADD_SEAL);
    await database.query(contributionsAnnounced(ANNOUNCED_AGAIN));
  }

  async down(database: QueryRunner): Promise<void> {
    await database.query(`
      ${contributionsAnnounced(ANNOUNCED_BEFORE)}
      DROP FUNCTION add_audit_seal;
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
  -- Before a transaction takes its first id. The lock is released after the entries can be seen. Later statements of the
  -- transaction lock the same number again, or many entries of one would fill the server's table of locks. Any session can
  -- set the setting: a number that is too high or none is ignored, and a lower one only keeps later entries waiting.
  CREATE FUNCTION announce_audit_entry() RETURNS trigger LANGUAGE plpgsql
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  DECLARE
    noted text := current_setting('offertory.audit_announced', true);
    last_id bigint := (SELECT last_value - (NOT is_called)::integer FROM public.audit_entry_id_seq);
    above bigint := CASE WHEN noted ~ '^[0-9]{1,10}$' THEN least(noted::bigint, last_id) ELSE last_id END;
  BEGIN
    PERFORM pg_advisory_xact_lock_shared(hashtext('audit_entry.id'), above::integer);
    PERFORM set_config('offertory.audit_announced', above::text, true);
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

/** The only way in which the service's role adds a seal: one that leaves entries out would end the sealing unnoticed. */
const ADD_SEAL = `
  CREATE FUNCTION add_audit_seal(new_number integer, new_sealed_at timestamptz, new_first_id integer, new_last_id integer,
    new_entry_ids integer[], new_entry_hashes bytea, new_previous_hash bytea, new_hash bytea) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  DECLARE
    last public.audit_seal;
    settled integer;
  BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('offertory.audit_seal', 0));
    settled := public.settled_audit_entries();
    SELECT * INTO last FROM public.audit_seal ORDER BY number DESC LIMIT 1;
    -- The last condition reads the entries in a later statement than the settled id, and so sees all of them.
    IF (new_number = COALESCE(last.number, 0) + 1
      AND new_previous_hash = COALESCE(last.hash, decode(repeat('00', 32), 'hex'))
      AND new_first_id = COALESCE(last.last_id + 1, (SELECT min(id) FROM public.audit_entry))
      AND new_last_id <= settled
      AND new_last_id = new_entry_ids[cardinality(new_entry_ids)]
      AND new_sealed_at BETWEEN now() AND clock_timestamp()
      AND new_entry_ids = ARRAY(
        SELECT id FROM public.audit_entry WHERE id BETWEEN new_first_id AND new_last_id ORDER BY id)) IS NOT TRUE
    THEN
      RAISE 'the seal does not continue the seal before it, or leaves entries out' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    INSERT INTO public.audit_seal VALUES (new_number, new_sealed_at, new_first_id, new_last_id, new_entry_ids,
      new_entry_hashes, new_previous_hash, new_hash);
  END $$;
  REVOKE EXECUTE ON FUNCTION add_audit_seal FROM PUBLIC;
`;

/** The function of migration 12 with another body. */
function contributionsAnnounced(body: string): string {
  return `
    CREATE OR REPLACE FUNCTION announce_contribution_change() RETURNS trigger LANGUAGE plpgsql
      SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$ ${body} $$;`;
}

const ANNOUNCED_BEFORE = `
  BEGIN
    IF current_setting('offertory.change_announced', true) = 'yes' THEN RETURN NULL; END IF;
    PERFORM pg_advisory_xact_lock_shared(hashtext('contribution.id'), (last_value - (NOT is_called)::integer)::integer)
      FROM public.contribution_id_seq;
    PERFORM pg_advisory_xact_lock_shared(hashtext('contribution.change_no'), (last_value - (NOT is_called)::integer)::integer)
      FROM public.contribution_change_no_seq;
    PERFORM set_config('offertory.change_announced', 'yes', true);
    RETURN NULL;
  END`;

/** As for audit entries, with two numbers. */
const ANNOUNCED_AGAIN = `
  DECLARE
    noted text[] := regexp_match(current_setting('offertory.change_announced', true), '^([0-9]{1,10}) ([0-9]{1,10})$');
    last_id bigint := (SELECT last_value - (NOT is_called)::integer FROM public.contribution_id_seq);
    last_change_no bigint := (SELECT last_value - (NOT is_called)::integer FROM public.contribution_change_no_seq);
  BEGIN
    -- Null if there is none, which least() ignores.
    last_id := least(last_id, noted[1]::bigint);
    last_change_no := least(last_change_no, noted[2]::bigint);
    PERFORM pg_advisory_xact_lock_shared(hashtext('contribution.id'), last_id::integer);
    PERFORM pg_advisory_xact_lock_shared(hashtext('contribution.change_no'), last_change_no::integer);
    PERFORM set_config('offertory.change_announced', last_id || ' ' || last_change_no, true);
    RETURN NULL;
  END`;
