import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * An import compares a row without an id with the recorded gifts of its day and amount, and lists a row for review that
 * differs from one in its contacts alone. The index of 0013 stays: the released program uses it, and so does this one.
 */
export class ImportComparesRows0021 implements MigrationInterface {
  readonly name = 'ImportComparesRows1764288000021';

  async up(database: QueryRunner): Promise<void> {
    await database.query(`
      CREATE INDEX contribution_derived_day_idx ON contribution (created_by, day, amount)
        WHERE transaction_id LIKE 'row-%';
      ALTER TABLE review
        DROP CONSTRAINT review_reasons_known,
        ADD CONSTRAINT review_reasons_known CHECK (cardinality(reasons) > 0 AND reasons <@ ${reasons('similar_row')});
    `);
  }

  async down(database: QueryRunner): Promise<void> {
    await database.query(`
      -- The constraint before this migration does not know the reason.
      DELETE FROM review WHERE reasons = ARRAY['similar_row'];
      UPDATE review SET reasons = array_remove(reasons, 'similar_row') WHERE 'similar_row' = ANY (reasons);
      ALTER TABLE review
        DROP CONSTRAINT review_reasons_known,
        ADD CONSTRAINT review_reasons_known CHECK (cardinality(reasons) > 0 AND reasons <@ ${reasons()});
      DROP INDEX contribution_derived_day_idx;
    `);
  }
}

function reasons(...added: readonly string[]): string {
  const known = [...BEFORE, ...added].map((reason) => `'${reason}'`);
  return `ARRAY[${known.join(', ')}]`;
}

/** Those of 0020. */
const BEFORE = [
  'several_matches',
  'other_last_name',
  'deceased',
  'closed_fund',
  'similar_person',
  'possible_duplicate',
  'similar_spelling',
  'changed_last_name',
  'known_name',
  'other_contact',
  'shared_contact',
];
