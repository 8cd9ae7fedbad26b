import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Files of gifts that Finance imports on the console. */
export class ImportFiles0037 implements MigrationInterface {
  readonly name = 'ImportFiles1764288000037';

  async up(database: QueryRunner): Promise<void> {
    await database.query(`
      CREATE TABLE import_file (
        id           integer GENERATED ALWAYS AS IDENTITY,
        uploaded_by  text NOT NULL,
        uploaded_at  timestamptz NOT NULL DEFAULT now(),
        name         text,
        size         integer NOT NULL,
        sha256       text NOT NULL,
        state        text NOT NULL DEFAULT 'new',
        -- Counts the dry runs, so that nobody books what somebody else has tried in another way.
        revision     integer NOT NULL DEFAULT 0,
        options      jsonb NOT NULL,
        -- What was found in the file: names of columns, and examples of values.
        found        jsonb,
        rows         integer,
        rows_done    integer NOT NULL DEFAULT 0,
        problem      text,
        outcome      jsonb,
        -- The first rows, and the refused ones.
        preview      jsonb,
        started_by   text,
        started_via  text,
        started_at   timestamptz,
        ended_at     timestamptz,
        forgotten_at timestamptz,
        CONSTRAINT import_file_pkey PRIMARY KEY (id),
        CONSTRAINT import_file_sha256_check CHECK (sha256 ~ '^[0-9a-f]{64}$'),
        CONSTRAINT import_file_state_known
          CHECK (state IN ('new', 'checking', 'checked', 'booking', 'stopped', 'booked')),
        CONSTRAINT import_file_running_check CHECK (state NOT IN ('checking', 'booking') OR forgotten_at IS NULL),
        -- Nothing personal is left of a file that was deleted.
        CONSTRAINT import_file_forgotten_check CHECK (
          forgotten_at IS NULL OR (name IS NULL AND found IS NULL AND preview IS NULL AND problem IS NULL))
      );
      CREATE INDEX import_file_kept_idx ON import_file (uploaded_at) WHERE forgotten_at IS NULL;
      CREATE INDEX import_file_sha256_idx ON import_file (sha256);

      CREATE TABLE import_file_part (
        import_file_id integer NOT NULL,
        -- The file itself, or the result of its rows.
        kind           text NOT NULL,
        position       integer NOT NULL,
        bytes          bytea NOT NULL,
        CONSTRAINT import_file_part_pkey PRIMARY KEY (import_file_id, kind, position),
        CONSTRAINT import_file_part_file_fkey FOREIGN KEY (import_file_id) REFERENCES import_file (id),
        CONSTRAINT import_file_part_kind_known CHECK (kind IN ('file', 'result'))
      );
      -- Not compressed: it is written once and read a few times.
      ALTER TABLE import_file_part ALTER COLUMN bytes SET STORAGE EXTERNAL;
    `);
  }

  async down(database: QueryRunner): Promise<void> {
    await database.query(`
      DELETE FROM job WHERE queue = 'import-file';
      DROP TABLE import_file_part, import_file;
    `);
  }
}
