import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Why a gift went to its person, what Finance should look at, and what became of it. */
export class Reviews0006 implements MigrationInterface {
  readonly name = 'Reviews1764288000006';

  async up(database: QueryRunner): Promise<void> {
    await database.query(`
      -- Null on reversing entries, and on gifts of before this migration.
      ALTER TABLE contribution
        ADD COLUMN matched_by    text,
        ADD COLUMN matched_on    text[],
        ADD COLUMN other_matches integer[],
        ADD CONSTRAINT contribution_matched_by_known CHECK (matched_by IN ('id', 'match', 'created'));
      -- For a person's gifts, and for gifts that may have come twice.
      CREATE INDEX contribution_person_day_idx ON contribution (person_id, day, amount);
      DROP INDEX contribution_person_idx;

      -- Users are never deleted or renamed; 'command line' is somebody at the server's own console.
      CREATE TABLE review (
        id              integer GENERATED ALWAYS AS IDENTITY,
        contribution_id integer NOT NULL,
        reasons         text[] NOT NULL,
        created_at      timestamptz NOT NULL DEFAULT now(),
        accepted_at     timestamptz,
        accepted_by     text,
        CONSTRAINT review_pkey PRIMARY KEY (id),
        CONSTRAINT review_contribution_fkey FOREIGN KEY (contribution_id) REFERENCES contribution (id),
        CONSTRAINT review_one_per_contribution UNIQUE (contribution_id),
        CONSTRAINT review_reasons_known CHECK (cardinality(reasons) > 0 AND reasons <@ ARRAY[
          'several_matches', 'other_last_name', 'deceased', 'closed_fund', 'similar_person', 'possible_duplicate']),
        CONSTRAINT review_accepted_by_somebody CHECK ((accepted_at IS NULL) = (accepted_by IS NULL))
      );
      CREATE INDEX review_open_idx ON review (id) WHERE accepted_at IS NULL;

      CREATE TABLE reassignment (
        id              integer GENERATED ALWAYS AS IDENTITY,
        contribution_id integer NOT NULL,
        from_person_id  integer NOT NULL,
        to_person_id    integer NOT NULL,
        reassigned_by   text NOT NULL,
        reassigned_at   timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT reassignment_pkey PRIMARY KEY (id),
        CONSTRAINT reassignment_contribution_fkey FOREIGN KEY (contribution_id) REFERENCES contribution (id),
        CONSTRAINT reassignment_from_fkey FOREIGN KEY (from_person_id) REFERENCES person (id),
        CONSTRAINT reassignment_to_fkey FOREIGN KEY (to_person_id) REFERENCES person (id)
      );
      CREATE INDEX reassignment_contribution_idx ON reassignment (contribution_id);
    `);
  }

  async down(database: QueryRunner): Promise<void> {
    await database.query(`
      DROP TABLE reassignment, review;
      CREATE INDEX contribution_person_idx ON contribution (person_id);
      DROP INDEX contribution_person_day_idx;
      ALTER TABLE contribution DROP COLUMN matched_by, DROP COLUMN matched_on, DROP COLUMN other_matches;
    `);
  }
}
