import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex } from './build-index.js';

/**
 * The entries of a day in the order of their ids, so that the newest ones of each day of a month are found without reading and
 * sorting the month. The index replaces the one on the day alone.
 */
export class GiftsByDayAndId0047 implements MigrationInterface {
  readonly name = 'GiftsByDayAndId1764288000047';
  readonly transaction = false;

  async up(database: QueryRunner): Promise<void> {
    await buildIndex(database, 'contribution_day_id_idx', 'contribution (day, id)');
    await database.query('DROP INDEX CONCURRENTLY IF EXISTS contribution_day_idx');
  }

  async down(database: QueryRunner): Promise<void> {
    await buildIndex(database, 'contribution_day_idx', 'contribution (day)');
    await database.query('DROP INDEX CONCURRENTLY IF EXISTS contribution_day_id_idx');
  }
}
