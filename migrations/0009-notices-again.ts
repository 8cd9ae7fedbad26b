import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A delivery that somebody asks for again gets its three days anew; what was tried before stays on record. */
export class NoticesAgain0009 implements MigrationInterface {
  readonly name = 'NoticesAgain1764288000009';

  async up(database: QueryRunner): Promise<void> {
    await database.query(`
      ALTER TABLE delivery
        ADD COLUMN asked_again_at  timestamptz,
        ADD COLUMN attempts_before integer NOT NULL DEFAULT 0,
        ADD CONSTRAINT delivery_attempts_before_asked CHECK (attempts_before BETWEEN 0 AND attempts);
    `);
  }

  async down(database: QueryRunner): Promise<void> {
    await database.query('ALTER TABLE delivery DROP COLUMN attempts_before, DROP COLUMN asked_again_at');
  }
}
