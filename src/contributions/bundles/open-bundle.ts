import type { EntityManager } from 'typeorm';
import { sqlRow, sqlRows } from '../../database/index.js';
import { OPEN } from '../reference-data.js';

/** What decides a contribution's bundle: its type, whose deposit it is, and the day in church time, YYYY-MM-DD. */
export interface BundleKey {
  readonly bundleTypeId: number;
  readonly userId: number;
  readonly day: string;
}

/**
 * The id of the open bundle for this key, made if there is none, and locked so that it cannot be closed before `tx`
 * ends. A contribution's foreign key alone would not do: it lets a close go through, and a gift would slip into a
 * bundle that has been totalled.
 */
export async function openBundle(tx: EntityManager, key: BundleKey): Promise<number> {
  const values = [key.bundleTypeId, key.userId, key.day];
  for (;;) {
    const open = await sqlRow<{ id: number }>(
      tx,
      `SELECT id FROM bundle WHERE bundle_type_id = $1 AND user_id = $2 AND day = $3 AND status = ${OPEN} FOR SHARE`,
      values,
    );
    if (open !== undefined) return open.id;
    // Nothing happens where another transaction makes the same bundle: it is waited for, and found by the next look.
    await sqlRows(
      tx,
      `INSERT INTO bundle (bundle_type_id, user_id, day) VALUES ($1, $2, $3)
       ON CONFLICT (bundle_type_id, user_id, day) WHERE status = ${OPEN} DO NOTHING`,
      values,
    );
  }
}
