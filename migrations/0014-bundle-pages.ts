import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A bundle is exported page by page: each is read from where the last one ended, not from the bundle's beginning. */
export class BundlePages0014 implements MigrationInterface {
  readonly name = 'BundlePages1764288000014';

  async up(database: QueryRunner): Promise<void> {
    await database.query(`
      CREATE INDEX contribution_bundle_page_idx ON contribution (bundle_id, id);
      DROP INDEX contribution_bundle_idx;
    `);
  }

  async down(database: QueryRunner): Promise<void> {
    await database.query(`
      CREATE INDEX contribution_bundle_idx ON contribution (bundle_id);
      DROP INDEX contribution_bundle_page_idx;
    `);
  }
}
