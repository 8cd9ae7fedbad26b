import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Credentials that were right in the last minutes, for the other replicas and for after a restart: their callers are
 * not refused when somebody else guesses under their name.
 */
export class VerifiedLogins0008 implements MigrationInterface {
  readonly name = 'VerifiedLogins1764288000008';

  async up(database: QueryRunner): Promise<void> {
    await database.query(`
      -- digest: keyed, and the key is not in the database (src/auth/passwords/shared-verifications.ts). Unlogged: losing these
      -- rows in a crash costs a caller one more check of its password.
      CREATE UNLOGGED TABLE verified_login (
        digest     bytea NOT NULL,
        expires_at timestamptz NOT NULL,
        CONSTRAINT verified_login_pkey PRIMARY KEY (digest)
      );
    `);
  }

  async down(database: QueryRunner): Promise<void> {
    await database.query('DROP TABLE verified_login');
  }
}
