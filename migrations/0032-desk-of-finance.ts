import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The former names of funds, by which processors may still name them, and indexes for the lists of Finance: the history of
 * a person, the actions of a user, all actions of a kind, and unconfirmed contacts.
 *
 * The service's role also gets the right to change the address, zip, e-mail and phone of a person.
 */
export class DeskOfFinance0032 implements MigrationInterface {
  readonly name = 'DeskOfFinance1764288000032';

  async up(database: QueryRunner): Promise<void> {
    await database.query(`
      CREATE TABLE fund_former_name (
        fund_id integer NOT NULL,
        name    text NOT NULL,
        -- When the fund was renamed. One transaction at a time renames a fund, so it differs each time.
        until   timestamptz NOT NULL DEFAULT clock_timestamp(),
        CONSTRAINT fund_former_name_pkey PRIMARY KEY (fund_id, until),
        CONSTRAINT fund_former_name_fund_fkey FOREIGN KEY (fund_id) REFERENCES fund (id)
      );

      -- Few entries name a person in this way.
      CREATE INDEX audit_entry_person_idx ON audit_entry ((details ->> 'peopleId')) WHERE details ? 'peopleId';
      CREATE INDEX audit_entry_actor_idx ON audit_entry (actor, id);
      CREATE INDEX audit_entry_action_idx ON audit_entry (action, id);
      -- For days: small, because entries are added in the order of their times.
      CREATE INDEX audit_entry_at_idx ON audit_entry USING brin (at);

      -- Partial: a gift adds an unconfirmed contact only now and then.
      CREATE INDEX contact_unconfirmed_idx ON contact (id) WHERE NOT confirmed;
    `);
  }

  /** Fails, and changes nothing, if a fund was renamed: gifts with its former name would be refused. */
  async down(database: QueryRunner): Promise<void> {
    await database.query(`
      DO $$
      BEGIN
        IF EXISTS (SELECT FROM fund_former_name) THEN
          RAISE 'A fund was renamed. The release before does not know former names and would refuse gifts that name them, '
            'so this migration cannot be taken back.';
        END IF;
      END $$;
      DROP INDEX contact_unconfirmed_idx, audit_entry_at_idx, audit_entry_action_idx, audit_entry_actor_idx, audit_entry_person_idx;
      DROP TABLE fund_former_name;
    `);
  }
}
