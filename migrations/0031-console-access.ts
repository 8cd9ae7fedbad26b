import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The role of auditors, who read everything and change nothing. */
export class ConsoleAccess0031 implements MigrationInterface {
  readonly name = 'ConsoleAccess1764288000031';

  async up(database: QueryRunner): Promise<void> {
    await database.query(AUDITOR);
  }

  async down(database: QueryRunner): Promise<void> {
    await database.query(WITHOUT_AUDITOR);
  }
}

const AUDITOR = `
  ALTER TABLE role DROP CONSTRAINT role_name_known, ADD CONSTRAINT role_name_known
    CHECK (name IN ('Developer', 'APIOnly', 'APIWrite', 'Finance', 'Auditor'));
  INSERT INTO role (name) VALUES ('Auditor');
`;

const WITHOUT_AUDITOR = `
  -- At once, because a table cannot be altered while its triggers wait for the commit.
  SET CONSTRAINTS ALL IMMEDIATE;
  DELETE FROM app_user_role WHERE role_id = (SELECT id FROM role WHERE name = 'Auditor');
  DELETE FROM role WHERE name = 'Auditor';
  ALTER TABLE role DROP CONSTRAINT role_name_known, ADD CONSTRAINT role_name_known
    CHECK (name IN ('Developer', 'APIOnly', 'APIWrite', 'Finance'));
`;
