import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Who did what. Entries are added and never changed: the service's role is given no other right, and whoever has the
 * right, the owner included, is refused by a trigger all the same.
 */
export class Audit0011 implements MigrationInterface {
  readonly name = 'Audit1764288000011';

  async up(database: QueryRunner): Promise<void> {
    await database.query(`
      -- actor: the name of an API user, or 'command line: ' or 'service: ' and an account of the machine's; no user's
      -- name has a colon. subject: a kind and an id or a user's name. details: ids and names of fields, nobody's data.
      CREATE TABLE audit_entry (
        id      integer GENERATED ALWAYS AS IDENTITY,
        at      timestamptz NOT NULL DEFAULT now(),
        actor   text NOT NULL,
        action  text NOT NULL,
        subject text NOT NULL,
        details jsonb NOT NULL DEFAULT '{}',
        CONSTRAINT audit_entry_pkey PRIMARY KEY (id),
        CONSTRAINT audit_entry_actor_somebody CHECK (actor <> ''),
        CONSTRAINT audit_entry_action_named CHECK (action ~ '^[a-z]+\\.[a-z-]+$'),
        CONSTRAINT audit_entry_details_object CHECK (jsonb_typeof(details) = 'object')
      );
      CREATE INDEX audit_entry_subject_idx ON audit_entry (subject, id);

      CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE 'audit_entry is only ever added to' USING ERRCODE = 'insufficient_privilege';
      END $$;
      CREATE TRIGGER audit_entry_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_entry
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
      -- Also for a session that takes itself for a replica.
      ALTER TABLE audit_entry ENABLE ALWAYS TRIGGER audit_entry_append_only;
    `);
  }

  async down(database: QueryRunner): Promise<void> {
    await database.query('DROP TABLE audit_entry; DROP FUNCTION refuse_audit_change');
  }
}
