import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Wrong passwords of the last minute, counted here so that all replicas share the count. The columns are those that
 * rate-limiter-flexible's RateLimiterPostgres asks for; key is a digest of user name and address.
 */
export class LoginFailures0004 implements MigrationInterface {
  readonly name = 'LoginFailures1764288000004';

  async up(database: QueryRunner): Promise<void> {
    await database.query(`
      CREATE TABLE login_failure (
        key    varchar(255) NOT NULL,
        points integer NOT NULL DEFAULT 0,
        expire bigint,
        CONSTRAINT login_failure_pkey PRIMARY KEY (key)
      );
    `);
  }

  async down(database: QueryRunner): Promise<void> {
    await database.query('DROP TABLE login_failure');
  }
}
