import type { EntityManager } from 'typeorm';
import { isWanted, preparedWithNames, sqlRows } from '../../../database/index.js';
import { ContributionReversed, type ReversalReason } from '../../events/index.js';
import { REVERSED_TYPE } from '../../ledger/index.js';
import type { StoredAmount } from '../../../values/index.js';
import type { GiftRow } from './payment-rows.js';

/** A gift, and how much of it is reversed. */
export interface ReversedGift extends GiftRow {
  /** Positive. */
  readonly taken: StoredAmount;
}

/** What all entries of a reversal share. */
interface Reversal {
  readonly now: Date;
  /** In church time, YYYY-MM-DD: the day of the entries and of their bundle. */
  readonly today: string;
  readonly source: string | null;
  readonly userId: number;
  readonly reason: ReversalReason | null;
  readonly refundId: string | null;
  readonly notes: string | null;
}

interface Parameters extends Reversal {
  readonly giftIds: readonly number[];
  readonly amounts: readonly string[];
  readonly fundIds: readonly number[];
  readonly bundleTypeIds: readonly number[];
  readonly personId: number;
  readonly currency: string;
}

/** The amounts are negated in SQL, so that no float ever holds an amount. The first entry's id is that of the reversal. */
const INSERT_ENTRIES = preparedWithNames<Parameters>(`
  WITH taken AS MATERIALIZED (
    SELECT next_id('contribution_id_seq') AS id, sent.*
    FROM unnest(:giftIds::integer[], :amounts::numeric[], :fundIds::integer[], :bundleTypeIds::integer[])
      AS sent (gift_id, amount, fund_id, bundle_type_id)
  )
  INSERT INTO contribution (id, person_id, amount, currency, fund_id, contribution_type_id, reverses_id, reversal_id,
    given_at, day, bundle_id, source, notes, created_by, reason, refund_id)
  OVERRIDING SYSTEM VALUE
  SELECT id, :personId, -amount, :currency, fund_id, ${REVERSED_TYPE}, gift_id, (SELECT min(id) FROM taken),
    :now, :today, open_bundle(bundle_type_id, :userId, :today), :source, :notes, :userId, :reason, :refundId
  FROM taken
  RETURNING id, reverses_id, created_at, ${isWanted(ContributionReversed)} AS is_wanted`);

interface EntryRow {
  readonly id: number;
  readonly reverses_id: number;
  readonly created_at: Date;
  readonly is_wanted: boolean;
}

/** A reversing entry, and the gift that it reverses. */
export interface ReversingEntry {
  readonly id: number;
  readonly gift: ReversedGift;
  readonly createdAt: Date;
  /** Whether ContributionReversed is a wanted event. */
  readonly isWanted: boolean;
}

/** Adds a reversing entry for each of the gifts, which must be locked. They are in the order of their ids. */
export async function insertReversingEntries(
  tx: EntityManager,
  gifts: readonly [ReversedGift, ...ReversedGift[]],
  reversal: Reversal,
): Promise<ReversingEntry[]> {
  const values = INSERT_ENTRIES.values({
    ...reversal,
    giftIds: gifts.map(({ id }) => id),
    amounts: gifts.map(({ taken }) => taken),
    fundIds: gifts.map(({ fund_id }) => fund_id),
    bundleTypeIds: gifts.map(({ bundle_type_id }) => bundle_type_id),
    personId: gifts[0].person_id,
    currency: gifts[0].currency,
  });
  const rows = await sqlRows<EntryRow>(tx, INSERT_ENTRIES, values);
  return gifts.map((gift) => {
    const row = rows.find(({ reverses_id }) => reverses_id === gift.id);
    if (row === undefined) throw new Error('INSERT … RETURNING returned no row for a gift');
    return { id: row.id, gift, createdAt: row.created_at, isWanted: row.is_wanted };
  });
}
