import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Persons, bundles and contributions. The constraints carry what must hold for money, whatever the code does:
 * an amount is never 0, it is negative exactly on a reversing entry, a gift has at most one reversing entry, and
 * there is at most one open bundle per type, user and day.
 */
export class Ledger0002 implements MigrationInterface {
  readonly name = 'Ledger1764288000002';

  async up(database: QueryRunner): Promise<void> {
    await database.query(`
      -- What a giver sent stands beside its folded form (src/people/matching/folding.ts), which matching compares.
      -- A folded form is null where nothing usable is left: null equals nothing.
      CREATE TABLE person (
        id                integer GENERATED ALWAYS AS IDENTITY,
        first_name        text NOT NULL,
        last_name         text NOT NULL,
        email             text NOT NULL,
        phone             text NOT NULL,
        address           text,
        zip               text,
        first_name_folded text,
        last_name_folded  text,
        email_folded      text,
        phone_folded      text,
        created_at        timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT person_pkey PRIMARY KEY (id)
      );
      CREATE INDEX person_email_match_idx ON person (email_folded, last_name_folded, first_name_folded);
      CREATE INDEX person_phone_match_idx ON person (phone_folded, last_name_folded, first_name_folded);

      -- status: 0 Closed, 1 Open
      CREATE TABLE bundle (
        id             integer GENERATED ALWAYS AS IDENTITY,
        bundle_type_id integer NOT NULL,
        user_id        integer NOT NULL,
        day            date NOT NULL,
        status         smallint NOT NULL DEFAULT 1,
        created_at     timestamptz NOT NULL DEFAULT now(),
        closed_at      timestamptz,
        CONSTRAINT bundle_pkey PRIMARY KEY (id),
        CONSTRAINT bundle_type_fkey FOREIGN KEY (bundle_type_id) REFERENCES bundle_type (id),
        CONSTRAINT bundle_user_fkey FOREIGN KEY (user_id) REFERENCES app_user (id),
        CONSTRAINT bundle_status_known CHECK (status IN (0, 1)),
        CONSTRAINT bundle_closed_at_when_closed CHECK ((status = 0) = (closed_at IS NOT NULL))
      );
      CREATE UNIQUE INDEX bundle_one_open ON bundle (bundle_type_id, user_id, day) WHERE status = 1;

      -- status: 0 Recorded, 1 Reversed. giver_*: the details as sent with the gift; none on a reversing entry.
      CREATE TABLE contribution (
        id                   integer GENERATED ALWAYS AS IDENTITY,
        person_id            integer NOT NULL,
        amount               numeric(14,2) NOT NULL,
        currency             text NOT NULL,
        given_at             timestamptz NOT NULL,
        day                  date NOT NULL,
        fund_id              integer NOT NULL,
        bundle_id            integer NOT NULL,
        contribution_type_id integer NOT NULL,
        status               smallint NOT NULL DEFAULT 0,
        source               text,
        notes                text,
        giver_first          text,
        giver_last           text,
        giver_email          text,
        giver_phone          text,
        giver_address        text,
        giver_zip            text,
        reverses_id          integer,
        created_by           integer NOT NULL,
        created_at           timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT contribution_pkey PRIMARY KEY (id),
        CONSTRAINT contribution_person_fkey FOREIGN KEY (person_id) REFERENCES person (id),
        CONSTRAINT contribution_fund_fkey FOREIGN KEY (fund_id) REFERENCES fund (id),
        CONSTRAINT contribution_bundle_fkey FOREIGN KEY (bundle_id) REFERENCES bundle (id),
        CONSTRAINT contribution_type_fkey FOREIGN KEY (contribution_type_id) REFERENCES contribution_type (id),
        CONSTRAINT contribution_reverses_fkey FOREIGN KEY (reverses_id) REFERENCES contribution (id),
        CONSTRAINT contribution_created_by_fkey FOREIGN KEY (created_by) REFERENCES app_user (id),
        CONSTRAINT contribution_reversed_once UNIQUE (reverses_id),
        -- NaN is neither 0 nor negative, and would make every sum over it NaN.
        CONSTRAINT contribution_amount_number CHECK (amount <> 'NaN'),
        CONSTRAINT contribution_amount_not_zero CHECK (amount <> 0),
        CONSTRAINT contribution_negative_when_reversing CHECK ((amount < 0) = (reverses_id IS NOT NULL)),
        CONSTRAINT contribution_type_7_when_reversing CHECK ((contribution_type_id = 7) = (reverses_id IS NOT NULL)),
        CONSTRAINT contribution_reverses_another CHECK (reverses_id <> id),
        CONSTRAINT contribution_currency_iso CHECK (currency ~ '^[A-Z]{3}$'),
        CONSTRAINT contribution_status_known CHECK (status IN (0, 1)),
        CONSTRAINT contribution_reversing_stays_recorded CHECK (reverses_id IS NULL OR status = 0),
        CONSTRAINT contribution_giver_on_gifts CHECK (
          num_nulls(giver_first, giver_last, giver_email, giver_phone) = CASE WHEN reverses_id IS NULL THEN 0 ELSE 4 END)
      );
      CREATE INDEX contribution_person_idx ON contribution (person_id);
      CREATE INDEX contribution_bundle_idx ON contribution (bundle_id);
      CREATE INDEX contribution_fund_idx ON contribution (fund_id);
    `);
  }

  async down(database: QueryRunner): Promise<void> {
    await database.query('DROP TABLE contribution, bundle, person');
  }
}
