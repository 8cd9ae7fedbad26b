import type { Query } from '../../../../http/index.js';
import { rowsIn } from '../shared/named-fields.js';

/** The prefix of the boxes of payouts; their places on the page follow. */
export const TICK = 'payout-';

/** What identifies a payout. */
export interface TickedPayout {
  readonly source: string;
  readonly payoutId: string;
}

/** What the box of a payout sends. */
export function payoutTick({ source, payoutId }: TickedPayout): string {
  return JSON.stringify([source, payoutId]);
}

/** The payouts whose boxes a form sends, in the order of the page from the bottom up: the earliest first. */
export function tickedPayouts(sent: Query): TickedPayout[] {
  return rowsIn(sent, TICK)
    .flatMap(({ value }) => payoutOf(value))
    .toReversed();
}

function payoutOf(text: string): TickedPayout[] {
  try {
    const [source, payoutId] = JSON.parse(text) as unknown[];
    return typeof source === 'string' && typeof payoutId === 'string' ? [{ source, payoutId }] : [];
  } catch {
    return [];
  }
}
