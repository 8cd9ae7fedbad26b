import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * While an upgrade runs, programs of two versions write persons, each folded by its own rule. Each says by which one
 * (folded_by; the programs of before say nothing), and the database notes in person_to_fold whom another program than the
 * one that folded last has written, so that these are folded again, however long the old program still runs.
 *
 * For the old program's look-ups the names as it folds them are kept beside the new ones, where they differ. They go in a
 * later release, with the columns *_names_before.
 */
export class FoldingMarks0019 implements MigrationInterface {
  readonly name = 'FoldingMarks1764288000019';

  async up(database: QueryRunner): Promise<void> {
    await database.query(`
      ALTER TABLE person
        ADD COLUMN folded_by          text,
        ADD COLUMN first_names_before text[],
        ADD COLUMN last_names_before  text[];
      ALTER TABLE contact ADD COLUMN folded_by text;

      -- How far the persons have been folded by this rule: the last PeopleId, null once all have been.
      ALTER TABLE folding ADD COLUMN folded_up_to integer;

      CREATE TABLE person_to_fold (
        person_id integer NOT NULL,
        CONSTRAINT person_to_fold_pkey PRIMARY KEY (person_id),
        CONSTRAINT person_to_fold_person_fkey FOREIGN KEY (person_id) REFERENCES person (id) ON DELETE CASCADE
      );
      SELECT pgboss.create_queue('refold-persons', '{"policy": "standard"}'::json);
    `);
    await database.query(matchKeys('|| p.first_names_before', '|| p.last_names_before'));
    await database.query(addContacts(', folded_by', ', p.folded_by', NOTE_ADDED_PERSONS));
    await database.query(refreshPersons(', %.first_names_before, %.last_names_before', NOTE_CHANGED_PERSONS));
    await database.query(`
      CREATE FUNCTION note_added_contacts() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO person_to_fold
        SELECT DISTINCT c.person_id FROM added_contacts c, folding f
        WHERE c.folded_by IS DISTINCT FROM concat_ws(' ', f.version, f.country)
        ON CONFLICT DO NOTHING;
        RETURN NULL;
      END $$;
      CREATE TRIGGER contact_to_fold AFTER INSERT ON contact
        REFERENCING NEW TABLE AS added_contacts FOR EACH STATEMENT EXECUTE FUNCTION note_added_contacts();
    `);
  }

  async down(database: QueryRunner): Promise<void> {
    await database.query(matchKeys('', ''));
    await database.query(addContacts('', '', ''));
    await database.query(refreshPersons('', ''));
    await database.query(`
      DROP TRIGGER contact_to_fold ON contact;
      DROP FUNCTION note_added_contacts;
      SELECT pgboss.delete_queue('refold-persons');
      DROP TABLE person_to_fold;
      ALTER TABLE folding DROP COLUMN folded_up_to;
      ALTER TABLE contact DROP COLUMN folded_by;
      ALTER TABLE person DROP COLUMN folded_by, DROP COLUMN first_names_before, DROP COLUMN last_names_before;
    `);
  }
}

/** As in migration 5, and with further names of a person. */
const matchKeys = (firstNames: string, lastNames: string): string => `
  CREATE OR REPLACE FUNCTION refresh_match_keys(persons integer[]) RETURNS void LANGUAGE sql
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
  AS $$
    SELECT pg_advisory_xact_lock(hashtext('match_key'), lock)
    FROM (SELECT DISTINCT person % 256 AS lock FROM unnest($1) AS person ORDER BY lock) locks;
    DELETE FROM match_key USING unnest($1) AS person WHERE person_id = person;
    WITH RECURSIVE same AS (
      SELECT DISTINCT id AS survivor, id FROM person JOIN unnest($1) AS changed (id) USING (id) WHERE merged_into IS NULL
      UNION
      SELECT same.survivor, p.id FROM person p JOIN same ON p.merged_into = same.id
    )
    INSERT INTO match_key (kind, contact, last_name, first_name, person_id)
    SELECT c.kind, c.folded, names.last_name, names.first_name, names.survivor
    FROM (
      SELECT DISTINCT same.survivor, l.last_name, f.first_name
      FROM same
        JOIN person p USING (id)
        CROSS JOIN unnest(ARRAY[p.last_name_folded, p.former_last_name_folded] ${lastNames}) AS l (last_name)
        CROSS JOIN unnest(ARRAY[COALESCE(p.first_name_folded, ''), p.nickname_folded] ${firstNames}) AS f (first_name)
      WHERE l.last_name IS NOT NULL AND f.first_name IS NOT NULL
    ) names
      JOIN contact c ON c.person_id = names.survivor AND c.confirmed AND c.folded IS NOT NULL
  $$`;

/** As in migration 5, and the contacts are marked as their persons are. */
const addContacts = (column: string, value: string, note: string): string => `
  CREATE OR REPLACE FUNCTION add_person_contacts() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO contact (person_id, kind, value, folded, confirmed${column})
    SELECT p.id, c.kind, c.value, c.folded, true${value}
    FROM added_persons p,
      LATERAL (VALUES ('email', p.email, p.email_folded), ('phone', p.phone, p.phone_folded)) c (kind, value, folded)
    WHERE c.folded IS NOT NULL;
    ${note}
    RETURN NULL;
  END $$`;

const NOTE_ADDED_PERSONS = `
    INSERT INTO person_to_fold
    SELECT p.id FROM added_persons p, folding f
    WHERE p.folded_by IS DISTINCT FROM concat_ws(' ', f.version, f.country)
    ON CONFLICT DO NOTHING;`;

/** As in migration 5, and it looks at further columns. */
const refreshPersons = (columns: string, note: string): string => `
  CREATE OR REPLACE FUNCTION refresh_person_match_keys() RETURNS trigger LANGUAGE plpgsql
  SET enable_seqscan = off SET jit = off
  AS $$
  DECLARE
    persons integer[] := ARRAY(
      WITH RECURSIVE chain AS (
        SELECT n.id, n.merged_into
        FROM new_persons n JOIN old_persons o USING (id)
        WHERE (o.first_name_folded, o.nickname_folded, o.last_name_folded, o.former_last_name_folded, o.merged_into
            ${columns.replaceAll('%', 'o')})
          IS DISTINCT FROM
          (n.first_name_folded, n.nickname_folded, n.last_name_folded, n.former_last_name_folded, n.merged_into
            ${columns.replaceAll('%', 'n')})
        UNION
        SELECT p.id, p.merged_into FROM person p JOIN chain ON p.id = chain.merged_into
      )
      SELECT DISTINCT id FROM chain
    );
  BEGIN
    IF cardinality(persons) > 0 THEN PERFORM refresh_match_keys(persons); END IF;
    ${note}
    RETURN NULL;
  END $$`;

/** Whose folded forms have changed without a word on the rule: an old program's doing, or that of somebody's SQL. */
const NOTE_CHANGED_PERSONS = `
    INSERT INTO person_to_fold
    SELECT n.id FROM new_persons n JOIN old_persons o USING (id)
    WHERE n.folded_by IS NOT DISTINCT FROM o.folded_by
      AND (o.first_name_folded, o.nickname_folded, o.last_name_folded, o.former_last_name_folded, o.email_folded, o.phone_folded)
        IS DISTINCT FROM
        (n.first_name_folded, n.nickname_folded, n.last_name_folded, n.former_last_name_folded, n.email_folded, n.phone_folded)
    ON CONFLICT DO NOTHING;`;
