import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A review names the other persons and gifts that it is about, and says what closed it. A gift that moved because its
 * person was merged is kept in its history.
 */
export class ReviewsNameOthers0020 implements MigrationInterface {
  readonly name = 'ReviewsNameOthers1764288000020';

  async up(database: QueryRunner): Promise<void> {
    await database.query(REVIEWS);
    await database.query(EQUAL_GIFTS);
    await database.query(NAMES);
  }

  async down(database: QueryRunner): Promise<void> {
    await database.query(`
      CREATE INDEX contact_folded_idx ON contact (kind, folded);
      DROP INDEX contact_folded_person_idx, person_name_idx, person_nickname_idx, person_former_name_idx, person_unreadable_phone_idx;
      ${POSSIBLE_DUPLICATE_BEFORE}
      DROP FUNCTION equal_gifts;
      ALTER TABLE reassignment DROP COLUMN through_merge;
      DROP INDEX review_other_gifts_idx;
      -- The constraint before this migration does not know the new reasons.
      UPDATE review SET reasons = array_remove(ARRAY(
        SELECT reason FROM unnest(reasons) WITH ORDINALITY AS r (reason, place)
        WHERE reason = ANY (${REASONS_BEFORE}) ORDER BY place), NULL);
      DELETE FROM review WHERE cardinality(reasons) = 0;
      ALTER TABLE review
        DROP CONSTRAINT review_reasons_known,
        ADD CONSTRAINT review_reasons_known CHECK (cardinality(reasons) > 0 AND reasons <@ ${REASONS_BEFORE}),
        DROP COLUMN other_persons, DROP COLUMN other_gifts, DROP COLUMN closed_through;
    `);
  }
}

const REASONS_BEFORE = `ARRAY[
  'several_matches', 'other_last_name', 'deceased', 'closed_fund', 'similar_person', 'possible_duplicate']`;

const REVIEWS = `
  ALTER TABLE review
    -- Persons are never deleted, and a merged one leads to its survivor: no foreign key, which would lock them.
    ADD COLUMN other_persons  integer[] NOT NULL DEFAULT '{}',
    ADD COLUMN other_gifts    integer[] NOT NULL DEFAULT '{}',
    -- Null while it is open, and where a program of before this migration has closed it.
    ADD COLUMN closed_through text,
    ADD CONSTRAINT review_closed_through_known
      CHECK (closed_through IN ('accept', 'reassignment', 'reversal', 'merge')),
    ADD CONSTRAINT review_closed_through_when_closed CHECK (closed_through IS NULL OR accepted_at IS NOT NULL),
    DROP CONSTRAINT review_reasons_known,
    ADD CONSTRAINT review_reasons_known CHECK (cardinality(reasons) > 0 AND reasons <@ ARRAY[
      'several_matches', 'other_last_name', 'deceased', 'closed_fund', 'similar_person', 'possible_duplicate',
      'similar_spelling', 'changed_last_name', 'known_name', 'other_contact', 'shared_contact']);
  CREATE INDEX review_other_gifts_idx ON review USING gin (other_gifts) WHERE accepted_at IS NULL;

  -- A reassignment and the closing of its review are one transaction, so they have one time.
  UPDATE review SET closed_through = CASE WHEN EXISTS (
      SELECT FROM reassignment
      WHERE reassignment.contribution_id = review.contribution_id AND reassigned_at = accepted_at
    ) THEN 'reassignment' ELSE 'accept' END
  WHERE accepted_at IS NOT NULL;

  ALTER TABLE reassignment ADD COLUMN through_merge boolean NOT NULL DEFAULT false;
`;

const EQUAL_GIFTS = `
  -- Gifts of the same person, amount and day that stand, at most ten, each from another source or recorded within the
  -- last ten minutes; whether they came with ids does not matter, since a sender may give one gift two of them. Equal
  -- gifts that arrive together would not see each other: the second waits here for the first to commit, and no other
  -- gift does. VOLATILE: only then does the second statement see what was committed meanwhile.
  CREATE FUNCTION equal_gifts(gift contribution) RETURNS integer[] LANGUAGE plpgsql VOLATILE AS $$
  BEGIN
    PERFORM pg_advisory_xact_lock(
      hashtextextended(concat_ws(' ', 'equal gifts', gift.person_id, gift.amount, gift.day), 0));
    RETURN ARRAY(
      SELECT other.id FROM contribution other
      WHERE other.person_id = gift.person_id AND other.day = gift.day AND other.amount = gift.amount
        AND other.id <> gift.id AND other.status = 0
        AND (other.source IS DISTINCT FROM gift.source OR other.created_at > now() - interval '10 minutes')
      LIMIT 10);
  END $$;

  -- For programs of before this migration, which run beside the new one for a while: the same rule.
  CREATE OR REPLACE FUNCTION possible_duplicate(gift contribution) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
  BEGIN
    RETURN cardinality(equal_gifts(gift)) > 0;
  END $$;
`;

const POSSIBLE_DUPLICATE_BEFORE = `
  CREATE OR REPLACE FUNCTION possible_duplicate(gift contribution) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
  BEGIN
    PERFORM pg_advisory_xact_lock(
      hashtextextended(concat_ws(' ', 'equal gifts', gift.person_id, gift.amount, gift.day), 0));
    RETURN EXISTS (
      SELECT 1 FROM contribution other
      WHERE other.person_id = gift.person_id AND other.day = gift.day AND other.amount = gift.amount
        AND other.id <> gift.id AND other.status = 0
        AND (other.source IS DISTINCT FROM gift.source
          OR NOT gift.has_key AND other.created_at > now() - interval '10 minutes'));
  END $$;
`;

/**
 * match_key begins with the contact, so it cannot find a person by name alone. Ids come last in an index: the first few
 * persons of many are then read without the others.
 */
const NAMES = `
  CREATE INDEX person_name_idx ON person (last_name_folded, first_name_folded, id);
  CREATE INDEX person_nickname_idx ON person (last_name_folded, nickname_folded, id) WHERE nickname_folded IS NOT NULL;
  CREATE INDEX person_former_name_idx ON person (former_last_name_folded) WHERE former_last_name_folded IS NOT NULL;
  -- A number that is invalid now and was valid before, such as a Mexican one with the old 1 for mobile phones.
  CREATE INDEX person_unreadable_phone_idx
    ON person ((CASE WHEN phone_folded IS NULL THEN regexp_replace(phone, '[^0-9]', '', 'g') END), id);
  -- The first persons who have a contact are read in the order of the index, however many have it.
  CREATE INDEX contact_folded_person_idx ON contact (kind, folded, person_id);
  DROP INDEX contact_folded_idx;
`;
