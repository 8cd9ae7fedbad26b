import type { EntityManager } from 'typeorm';
import { sqlRows } from '../../database/index.js';
import { OPEN } from '../reference-data.js';

/** What decides a contribution's bundle: its type, whose deposit it is, and the day in church time, YYYY-MM-DD. */
export interface BundleKey {
  readonly bundleTypeId: number;
  readonly userId: number;
  readonly day: string;
}

/**
 * The open bundle of a key, as part of the statement that adds to it; locked, so that it cannot be closed before the
 * transaction ends. A contribution's foreign key alone would not do: it lets a close go through, and a gift would slip
 * into a bundle that has been totalled.
 */
export function openBundle(bundleTypeId: string, userId: string, day: string): string {
  return `(SELECT id FROM bundle
    WHERE bundle_type_id = ${bundleTypeId} AND user_id = ${userId} AND day = ${day} AND status = ${OPEN} FOR SHARE)`;
}

/**
 * What `add` adds to the open bundle of this key, which is made where there is none. `add` gives undefined when it has
 * found none: then it is asked once more.
 */
export async function intoOpenBundle<T>(
  tx: EntityManager,
  { bundleTypeId, userId, day }: BundleKey,
  add: () => Promise<T | undefined>,
): Promise<T> {
  for (;;) {
    const added = await add();
    if (added !== undefined) return added;
    // Nothing happens where another transaction makes the same bundle: it is waited for, and found by the next look.
    await sqlRows(
      tx,
      `INSERT INTO bundle (bundle_type_id, user_id, day) VALUES ($1, $2, $3)
       ON CONFLICT (bundle_type_id, user_id, day) WHERE status = ${OPEN} DO NOTHING`,
      [bundleTypeId, userId, day],
    );
  }
}
