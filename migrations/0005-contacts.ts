import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A person goes by several names and is reached in several ways; a person that was merged stays as a pointer.
 *
 * match_key holds, for each person that is not merged, every way in which a gift may tell of it: each confirmed contact
 * with each last and each first name, its own and those of persons merged into it. One gift is one look-up there,
 * however many people share an address. The database keeps it, by triggers: nothing can be forgotten, and a version of
 * the program that knows nothing of contacts still keeps them right.
 */
export class Contacts0005 implements MigrationInterface {
  readonly name = 'Contacts1764288000005';

  async up(database: QueryRunner): Promise<void> {
    await database.query(TABLES);
    await database.query(MATCH_KEYS);
    await database.query(EXISTING_PERSONS);
  }

  async down(database: QueryRunner): Promise<void> {
    await database.query(`
      DROP TRIGGER person_contacts ON person;
      DROP TRIGGER person_match_keys ON person;
      DROP FUNCTION add_person_contacts, refresh_person_match_keys, refresh_contact_match_keys CASCADE;
      DROP FUNCTION refresh_match_keys;
      DROP TABLE folding, match_key, contact;
      ALTER TABLE person
        DROP COLUMN nickname, DROP COLUMN nickname_folded, DROP COLUMN former_last_name,
        DROP COLUMN former_last_name_folded, DROP COLUMN deceased, DROP COLUMN merged_into;
    `);
  }
}

const TABLES = `
  ALTER TABLE person
    ADD COLUMN nickname                text,
    ADD COLUMN nickname_folded         text,
    ADD COLUMN former_last_name        text,
    ADD COLUMN former_last_name_folded text,
    ADD COLUMN deceased                boolean NOT NULL DEFAULT false,
    ADD COLUMN merged_into             integer,
    ADD CONSTRAINT person_merged_into_fkey FOREIGN KEY (merged_into) REFERENCES person (id),
    ADD CONSTRAINT person_merged_into_another CHECK (merged_into <> id);
  CREATE INDEX person_merged_into_idx ON person (merged_into) WHERE merged_into IS NOT NULL;

  -- person.email and person.phone stay the primary ones; those that can be compared stand here as well. One that can
  -- be no more, because the rule or the church's country has changed, stays with folded null, for the day it can again.
  CREATE TABLE contact (
    id         integer GENERATED ALWAYS AS IDENTITY,
    person_id  integer NOT NULL,
    kind       text NOT NULL,
    value      text NOT NULL,
    folded     text,
    confirmed  boolean NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT contact_pkey PRIMARY KEY (id),
    CONSTRAINT contact_person_fkey FOREIGN KEY (person_id) REFERENCES person (id),
    CONSTRAINT contact_kind_known CHECK (kind IN ('email', 'phone')),
    CONSTRAINT contact_once_per_person UNIQUE (person_id, kind, folded)
  );
  CREATE INDEX contact_folded_idx ON contact (kind, folded);

  CREATE TABLE match_key (
    kind       text NOT NULL,
    contact    text NOT NULL,
    last_name  text NOT NULL,
    first_name text NOT NULL,
    person_id  integer NOT NULL,
    CONSTRAINT match_key_pkey PRIMARY KEY (contact, last_name, first_name, kind, person_id),
    CONSTRAINT match_key_person_fkey FOREIGN KEY (person_id) REFERENCES person (id)
  );
  CREATE INDEX match_key_person_idx ON match_key (person_id);

  -- By which version of the folding rule, and for which country, the folded columns were made; at most one row.
  CREATE TABLE folding (
    only_row boolean NOT NULL DEFAULT true,
    version  integer NOT NULL,
    country  text NOT NULL,
    CONSTRAINT folding_pkey PRIMARY KEY (only_row),
    CONSTRAINT folding_one_row CHECK (only_row)
  );
`;

const MATCH_KEYS = `
  -- By indexes and at once, whatever the planner thinks: before the first statistics of a column it expects millions
  -- of rows, would read whole tables and compile the statement.
  CREATE FUNCTION refresh_match_keys(persons integer[]) RETURNS void LANGUAGE sql
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
  AS $$
    -- One at a time for each person; the next statement sees what the one before has committed. Persons share 256
    -- locks, so that a statement that adds or changes ever so many does not fill the server's table of locks.
    SELECT pg_advisory_xact_lock(hashtext('match_key'), lock)
    FROM (SELECT DISTINCT person % 256 AS lock FROM unnest($1) AS person ORDER BY lock) locks;
    DELETE FROM match_key USING unnest($1) AS person WHERE person_id = person;
    WITH RECURSIVE same AS (
      SELECT DISTINCT id AS survivor, id FROM person JOIN unnest($1) AS changed (id) USING (id) WHERE merged_into IS NULL
      UNION
      SELECT same.survivor, p.id FROM person p JOIN same ON p.merged_into = same.id
    )
    -- Each name once, however many merged persons had it. A first name that folds to nothing is kept as an empty one:
    -- no gift looks for it, but somebody similar is found.
    INSERT INTO match_key (kind, contact, last_name, first_name, person_id)
    SELECT c.kind, c.folded, names.last_name, names.first_name, names.survivor
    FROM (
      SELECT DISTINCT same.survivor, l.last_name, f.first_name
      FROM same
        JOIN person p USING (id)
        CROSS JOIN unnest(ARRAY[p.last_name_folded, p.former_last_name_folded]) AS l (last_name)
        CROSS JOIN unnest(ARRAY[COALESCE(p.first_name_folded, ''), p.nickname_folded]) AS f (first_name)
      WHERE l.last_name IS NOT NULL AND f.first_name IS NOT NULL
    ) names
      JOIN contact c ON c.person_id = names.survivor AND c.confirmed AND c.folded IS NOT NULL
  $$;

  CREATE FUNCTION add_person_contacts() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO contact (person_id, kind, value, folded, confirmed)
    SELECT p.id, c.kind, c.value, c.folded, true
    FROM added_persons p,
      LATERAL (VALUES ('email', p.email, p.email_folded), ('phone', p.phone, p.phone_folded)) c (kind, value, folded)
    WHERE c.folded IS NOT NULL;
    RETURN NULL;
  END $$;
  CREATE TRIGGER person_contacts AFTER INSERT ON person
    REFERENCING NEW TABLE AS added_persons FOR EACH STATEMENT EXECUTE FUNCTION add_person_contacts();

  CREATE FUNCTION refresh_person_match_keys() RETURNS trigger LANGUAGE plpgsql
  SET enable_seqscan = off SET jit = off
  AS $$
  DECLARE
    -- Those whose names really changed, or that were merged, and who they were merged into: a merged person's names
    -- are the survivor's as well. Each once, however many of the merged ones the statement changes.
    persons integer[] := ARRAY(
      WITH RECURSIVE chain AS (
        SELECT n.id, n.merged_into
        FROM new_persons n JOIN old_persons o USING (id)
        WHERE (o.first_name_folded, o.nickname_folded, o.last_name_folded, o.former_last_name_folded, o.merged_into)
          IS DISTINCT FROM
          (n.first_name_folded, n.nickname_folded, n.last_name_folded, n.former_last_name_folded, n.merged_into)
        UNION
        SELECT p.id, p.merged_into FROM person p JOIN chain ON p.id = chain.merged_into
      )
      SELECT DISTINCT id FROM chain
    );
  BEGIN
    IF cardinality(persons) > 0 THEN PERFORM refresh_match_keys(persons); END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER person_match_keys AFTER UPDATE ON person
    REFERENCING OLD TABLE AS old_persons NEW TABLE AS new_persons
    FOR EACH STATEMENT EXECUTE FUNCTION refresh_person_match_keys();

  CREATE FUNCTION refresh_contact_match_keys() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    -- One that is added unconfirmed, as gifts do all the time, matches nobody yet.
    PERFORM refresh_match_keys(array_agg(DISTINCT person_id))
    FROM changed_contacts WHERE confirmed OR TG_OP <> 'INSERT' HAVING count(*) > 0;
    RETURN NULL;
  END $$;
  CREATE TRIGGER contact_added AFTER INSERT ON contact
    REFERENCING NEW TABLE AS changed_contacts FOR EACH STATEMENT EXECUTE FUNCTION refresh_contact_match_keys();
  CREATE TRIGGER contact_changed AFTER UPDATE ON contact
    REFERENCING NEW TABLE AS changed_contacts FOR EACH STATEMENT EXECUTE FUNCTION refresh_contact_match_keys();
  CREATE TRIGGER contact_removed AFTER DELETE ON contact
    REFERENCING OLD TABLE AS changed_contacts FOR EACH STATEMENT EXECUTE FUNCTION refresh_contact_match_keys();
`;

const EXISTING_PERSONS = `
  INSERT INTO contact (person_id, kind, value, folded, confirmed)
  SELECT id, 'email', email, email_folded, true FROM person WHERE email_folded IS NOT NULL
  UNION ALL
  SELECT id, 'phone', phone, phone_folded, true FROM person WHERE phone_folded IS NOT NULL;

  -- Nothing is known of the new columns until then, and little may change in a table for long.
  ANALYZE person, contact, match_key;
`;
