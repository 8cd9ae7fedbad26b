import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Which fields a stored digest covers: those that the program of this request version read. Programs of before write no
 * version, also beside a newer one, and so get 1. Both columns have a constant default: nothing is rewritten.
 */
export class RequestVersions0018 implements MigrationInterface {
  readonly name = 'RequestVersions1764288000018';

  async up(database: QueryRunner): Promise<void> {
    await database.query(`
      ALTER TABLE idempotency_key ADD COLUMN request_version smallint NOT NULL DEFAULT 1;
      ALTER TABLE contribution ADD COLUMN request_version smallint NOT NULL DEFAULT 1;
    `);
  }

  async down(database: QueryRunner): Promise<void> {
    await database.query(`
      ALTER TABLE contribution DROP COLUMN request_version;
      ALTER TABLE idempotency_key DROP COLUMN request_version;
    `);
  }
}
