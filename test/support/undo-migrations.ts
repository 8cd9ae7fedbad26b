import { DataSource } from 'typeorm';
import { migrations } from '../../migrations/index.js';

/** Reverts the last migrations of a migrated database. Without a transaction, because gradual ones need none. */
export async function undoMigrations(url: string, count: number): Promise<void> {
  const dataSource = await new DataSource({ type: 'postgres', url, migrations }).initialize();
  for (let left = count; left > 0; left--) await dataSource.undoLastMigration({ transaction: 'none' });
  await dataSource.destroy();
}
