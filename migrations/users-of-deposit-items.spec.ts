import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { migrateDatabase } from '../src/database/index.js';
import { createTestDatabase, type TestDatabase } from '../test/support/test-database.js';
import { undoMigrations } from '../test/support/undo-migrations.js';
import { migrations } from './index.js';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase({ empty: true });
  // Only migrateDatabase creates the schema of the queue, which an earlier migration needs.
  await migrateDatabase(database.connection);
  const later = migrations.filter(({ name }) => name.slice(-4) > '0038').length;
  await undoMigrations(database.url, later);
  await database.query(`
    INSERT INTO app_user (username, password_hash) VALUES ('processor', 'x'), ('treasurer', 'x');
    INSERT INTO deposit (user_id, source, deposit_id, day, currency, amount, created_by)
    SELECT id, 'web', 'po_1', '2026-11-20', 'USD', 0, 'processor' FROM app_user WHERE username = 'processor';
    INSERT INTO deposit (source, deposit_id, day, currency, amount, created_by)
    VALUES ('web', 'po_2', '2026-11-20', 'USD', 0, 'treasurer');
    INSERT INTO deposit_item (deposit_id, is_reversal, source, transaction_id, has_own_fee, added_by)
    VALUES (1, false, 'web', 'T-1', false, 'processor'), (1, false, 'web', 'T-2', false, 'treasurer'),
      (2, false, 'web', 'T-3', false, 'treasurer');
    UPDATE deposit_item SET removed_at = now(), removed_by = 'treasurer', removal_reason = 'x' WHERE deposit_id = 1;
    UPDATE deposit SET reconciled_at = now(), reconciled_by = 'treasurer' WHERE id = 1`);
  await migrateDatabase(database.connection);
});
afterAll(() => database.drop());

describe('items of deposits from before they named users', () => {
  it('name the processor if it has added them, also in a reconciled deposit; those of Finance name nobody', async () => {
    const rows = await database.query(`
      SELECT i.transaction_id, u.username FROM deposit_item i LEFT JOIN app_user u ON u.id = i.user_id ORDER BY i.id`);
    expect(rows).toEqual([
      { transaction_id: 'T-1', username: 'processor' },
      { transaction_id: 'T-2', username: null },
      { transaction_id: 'T-3', username: null },
    ]);
  });

  it('still change the sums of their deposit', async () => {
    await database.query(`DELETE FROM deposit_item WHERE transaction_id = 'T-3'`);
    expect(await database.query('SELECT item_count FROM deposit WHERE id = 2')).toEqual([{ item_count: 0 }]);
  });
});
