import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Changes are found among many readings of personal data: they are few, and the list of changes goes through them by id. */
export class AuditChanges0035 implements MigrationInterface {
  readonly name = 'AuditChanges1764288000035';

  async up(database: QueryRunner): Promise<void> {
    await database.query(`CREATE INDEX audit_entry_change_idx ON audit_entry (id) WHERE NOT details ? 'peopleIds'`);
  }

  async down(database: QueryRunner): Promise<void> {
    await database.query('DROP INDEX audit_entry_change_idx');
  }
}
