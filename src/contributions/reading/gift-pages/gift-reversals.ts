import { displayAmount, fromCents, storedAmount, toCents } from '../../../values/index.js';
import { type ContributionRow, viewOf } from '../contribution-rows.js';
import type { ContributionView } from '../contribution-view.js';

/** What one call has taken back of a payment: an entry for each gift. It is undone as a whole. */
export interface GiftReversal {
  /** All entries have its time, reason, note, user and refund id. */
  readonly first: ContributionView;
  readonly entries: readonly ContributionView[];
}

/** The reversals of a payment, the first first. @param rows its contributions by id. */
export function reversalsOf(rows: readonly ContributionRow[]): GiftReversal[] {
  const byReversal = new Map<number, ContributionView[]>();
  for (const row of rows) {
    if (row.reverses_id === null) continue;
    const id = row.reversal_id ?? row.id;
    byReversal.set(id, [...(byReversal.get(id) ?? []), viewOf(row)]);
  }
  return [...byReversal.values()].flatMap((entries) => entries.slice(0, 1).map((first) => ({ first, entries })));
}

/** The entries that are not undone yet. */
export function openEntriesOf({ entries }: GiftReversal): readonly ContributionView[] {
  return entries.filter(({ reinstatedBy }) => reinstatedBy === null);
}

/** How much entries have taken, not negated, with the decimals of the currency. */
export function takenBy(entries: readonly ContributionView[], currency: string): string {
  const cents = entries.reduce((sum, { amount }) => sum - toCents(storedAmount(amount)), 0n);
  return displayAmount(fromCents(cents), currency);
}
