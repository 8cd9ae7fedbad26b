import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A review that waits only because its fund is closed is closed by a move of the gift to an open fund. */
export class ReviewsClosedByMoves0045 implements MigrationInterface {
  readonly name = 'ReviewsClosedByMoves1764288000045';

  async up(database: QueryRunner): Promise<void> {
    await database.query(knownAre(`'accept', 'reassignment', 'reversal', 'merge', 'move'`));
  }

  async down(database: QueryRunner): Promise<void> {
    await database.query(`UPDATE review SET closed_through = 'accept' WHERE closed_through = 'move'`);
    await database.query(knownAre(`'accept', 'reassignment', 'reversal', 'merge'`));
  }
}

function knownAre(values: string): string {
  return `
    ALTER TABLE review
      DROP CONSTRAINT review_closed_through_known,
      ADD CONSTRAINT review_closed_through_known CHECK (closed_through IN (${values}))`;
}
