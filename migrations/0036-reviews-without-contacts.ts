import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Gifts of givers without e-mail and phone, which only imports accept, are listed for review. */
export class ReviewsWithoutContacts0036 implements MigrationInterface {
  readonly name = 'ReviewsWithoutContacts1764288000036';

  async up(database: QueryRunner): Promise<void> {
    await database.query(knownReasons(...REASONS_BEFORE, 'without_contacts'));
  }

  async down(database: QueryRunner): Promise<void> {
    await database.query(`
      DELETE FROM review WHERE reasons = ARRAY['without_contacts'];
      UPDATE review SET reasons = array_remove(reasons, 'without_contacts') WHERE 'without_contacts' = ANY (reasons);
      ${knownReasons(...REASONS_BEFORE)}
    `);
  }
}

/** Those of 0029. */
const REASONS_BEFORE = [
  ...['several_matches', 'other_last_name', 'deceased', 'closed_fund', 'similar_person', 'possible_duplicate'],
  ...['similar_spelling', 'changed_last_name', 'known_name', 'other_contact', 'shared_contact', 'similar_row'],
  'earlier_year',
];

function knownReasons(...reasons: readonly string[]): string {
  return `
    ALTER TABLE review
      DROP CONSTRAINT review_reasons_known,
      ADD CONSTRAINT review_reasons_known CHECK (cardinality(reasons) > 0
        AND reasons <@ ARRAY[${reasons.map((reason) => `'${reason}'`).join(', ')}]);
  `;
}
