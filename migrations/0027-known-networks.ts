import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The networks from which users have logged in (ADR 44). */
export class KnownNetworks0027 implements MigrationInterface {
  readonly name = 'KnownNetworks1764288000027';

  async up(database: QueryRunner): Promise<void> {
    await database.query(`
      -- network: an IPv4 address, or the /64 of an IPv6 address. last_seen: updated once a day.
      CREATE TABLE known_network (
        user_id   integer NOT NULL,
        network   cidr NOT NULL,
        last_seen date NOT NULL,
        CONSTRAINT known_network_pkey PRIMARY KEY (user_id, network),
        CONSTRAINT known_network_user_fkey FOREIGN KEY (user_id) REFERENCES app_user (id)
      )`);
  }

  async down(database: QueryRunner): Promise<void> {
    await database.query('DROP TABLE known_network');
  }
}
