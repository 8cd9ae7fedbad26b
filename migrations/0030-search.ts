import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Search for people and gifts, and totals by fund and month (ADR 51). The new tables are derived from the books and are
 * filled by jobs after the migration, from the newest rows to the oldest, so that the migration takes no time on a large
 * database. No index is added to the tables that a gift writes. The triggers fire for new and changed persons and
 * contacts and for changed gifts, not for new gifts.
 */
export class Search0030 implements MigrationInterface {
  readonly name = 'Search1764288000030';

  async up(database: QueryRunner): Promise<void> {
    for (const statement of [TERMS, TO_INDEX, TOTALS, TRIGGERS, EXISTING_ROWS]) await database.query(statement);
  }

  async down(database: QueryRunner): Promise<void> {
    await database.query(`
      DROP TRIGGER person_to_index ON person;
      DROP TRIGGER contact_to_index ON contact;
      DROP TRIGGER contribution_to_index ON contribution;
      DROP TRIGGER contribution_totals_outdated ON contribution;
      DROP FUNCTION note_person_to_index, note_contact_to_index, note_gift_to_index, reset_fund_month_totals;
      DROP TABLE person_term, person_to_index, gift_term, gift_to_index, fund_month_total, reading_progress;
    `);
  }
}

const TERMS = `
  -- What a person is found by: folded names from each of their words to the end, e-mail addresses and phone numbers, those
  -- that it had before too. person_id is the surviving person. The collation "C" makes the index find prefixes. There are
  -- no foreign keys, because the rows are derived and nothing deletes a person or a contribution.
  CREATE TABLE person_term (
    term      text COLLATE "C" NOT NULL,
    person_id integer NOT NULL,
    CONSTRAINT person_term_pkey PRIMARY KEY (term, person_id)
  );
  CREATE INDEX person_term_person_idx ON person_term (person_id);

  -- What a gift is found by, besides its person: amounts, the words of its notes, and those details of the giver as sent
  -- that differ from the person's.
  CREATE TABLE gift_term (
    kind            text COLLATE "C" NOT NULL,
    term            text COLLATE "C" NOT NULL,
    contribution_id integer NOT NULL,
    CONSTRAINT gift_term_pkey PRIMARY KEY (kind, term, contribution_id),
    CONSTRAINT gift_term_kind_known CHECK (kind IN ('amount', 'name', 'email', 'phone', 'notes'))
  );
`;

const TO_INDEX = `
  -- Ids whose terms are missing or may be outdated. Rows are only added by writers, never changed: a writer waits for
  -- nothing, and what it adds while a job indexes the same id is indexed again.
  CREATE TABLE person_to_index (
    id              uuid NOT NULL DEFAULT gen_random_uuid(),
    first_person_id integer NOT NULL,
    last_person_id  integer NOT NULL,
    CONSTRAINT person_to_index_pkey PRIMARY KEY (id)
  );
  CREATE TABLE gift_to_index (
    id            uuid NOT NULL DEFAULT gen_random_uuid(),
    first_gift_id integer NOT NULL,
    last_gift_id  integer NOT NULL,
    CONSTRAINT gift_to_index_pkey PRIMARY KEY (id)
  );

  -- Up to which contribution the terms of gifts and the totals are read. New gifts are those after it. complete: whether
  -- the last contribution was reached once, so that few are new.
  CREATE TABLE reading_progress (
    reader   text NOT NULL,
    up_to    integer NOT NULL,
    complete boolean NOT NULL,
    CONSTRAINT reading_progress_pkey PRIMARY KEY (reader),
    CONSTRAINT reading_progress_reader_known CHECK (reader IN ('gift terms', 'totals'))
  );
`;

const TOTALS = `
  -- Sums of all contributions up to reading_progress. Amounts, funds, days and types of contributions never change.
  CREATE TABLE fund_month_total (
    month                date NOT NULL,
    fund_id              integer NOT NULL,
    -- Of the gift: a reversing entry counts under the type of its gift.
    contribution_type_id integer NOT NULL,
    currency             text NOT NULL,
    -- Parts of payments as sent.
    gifts                integer NOT NULL,
    -- Net: with all entries.
    amount               numeric(20,2) NOT NULL,
    CONSTRAINT fund_month_total_pkey PRIMARY KEY (month, fund_id, contribution_type_id, currency)
  );
`;

const TRIGGERS = `
  CREATE FUNCTION note_person_to_index() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO person_to_index (first_person_id, last_person_id) VALUES (NEW.id, NEW.id);
    RETURN NULL;
  END $$;
  CREATE TRIGGER person_to_index AFTER INSERT OR UPDATE OF first_name, last_name, nickname, former_last_name, email, phone,
      first_name_folded, last_name_folded, nickname_folded, former_last_name_folded, email_folded, phone_folded, merged_into
    ON person FOR EACH ROW EXECUTE FUNCTION note_person_to_index();

  CREATE FUNCTION note_contact_to_index() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    -- A person that this transaction has created is noted already.
    INSERT INTO person_to_index (first_person_id, last_person_id)
    SELECT id, id FROM person WHERE id = NEW.person_id AND created_at < now();
    RETURN NULL;
  END $$;
  CREATE TRIGGER contact_to_index AFTER INSERT OR UPDATE OF person_id, folded ON contact
    FOR EACH ROW WHEN (NEW.folded IS NOT NULL) EXECUTE FUNCTION note_contact_to_index();

  -- Another person may have other details than those that were sent. The service changes no other column of these.
  CREATE FUNCTION note_gift_to_index() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO gift_to_index (first_gift_id, last_gift_id) VALUES (NEW.id, NEW.id);
    RETURN NULL;
  END $$;
  CREATE TRIGGER contribution_to_index AFTER UPDATE OF person_id, amount, notes, giver_first, giver_last, giver_email,
      giver_phone ON contribution
    FOR EACH ROW WHEN (NEW.reverses_id IS NULL AND NEW.moves_id IS NULL) EXECUTE FUNCTION note_gift_to_index();

  -- Only somebody's own SQL does this: then the totals are summed up anew.
  CREATE FUNCTION reset_fund_month_totals() RETURNS trigger LANGUAGE plpgsql
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  BEGIN
    UPDATE public.reading_progress SET up_to = 0, complete = false WHERE reader = 'totals' AND up_to > 0;
    IF FOUND THEN DELETE FROM public.fund_month_total; END IF;
    RETURN NULL;
  END $$;
  REVOKE EXECUTE ON FUNCTION reset_fund_month_totals() FROM PUBLIC;
  CREATE TRIGGER contribution_totals_outdated
    AFTER UPDATE OF amount, day, fund_id, contribution_type_id, currency, reverses_id, moves_id, reinstates_id OR DELETE
    ON contribution FOR EACH ROW EXECUTE FUNCTION reset_fund_month_totals();
`;

/** All tables are locked while migrations run, so no contribution with a lower id is still to come. */
const EXISTING_ROWS = `
  INSERT INTO person_to_index (first_person_id, last_person_id)
  SELECT 1, max(id) FROM person HAVING max(id) > 0;
  INSERT INTO gift_to_index (first_gift_id, last_gift_id)
  SELECT 1, max(id) FROM contribution HAVING max(id) > 0;
  INSERT INTO reading_progress (reader, up_to, complete)
  SELECT 'gift terms', COALESCE(max(id), 0), true FROM contribution
  UNION ALL SELECT 'totals', 0, NOT EXISTS (SELECT FROM contribution);
`;
