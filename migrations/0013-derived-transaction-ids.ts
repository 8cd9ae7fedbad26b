import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An import finds the gifts of alike rows by what their ids have in common, without those of all other imports. */
export class DerivedTransactionIds0013 implements MigrationInterface {
  readonly name = 'DerivedTransactionIds1764288000013';

  async up(database: QueryRunner): Promise<void> {
    await database.query(`
      -- 69 characters: 'row-', the SHA-256 of what alike rows have in common, '-'
      CREATE INDEX contribution_derived_id_idx ON contribution (left(transaction_id, 69), created_by)
        WHERE transaction_id LIKE 'row-%';
    `);
  }

  async down(database: QueryRunner): Promise<void> {
    await database.query('DROP INDEX contribution_derived_id_idx');
  }
}
