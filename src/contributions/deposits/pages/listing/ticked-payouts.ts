import type { Query } from '../../../../http/index.js';
import { rowsIn } from '../shared/named-fields.js';

/** The prefix of the boxes of payouts; their places on the page follow. */
export const TICK = 'payout-';

/** What identifies a payout. */
export interface TickedPayout {
  readonly source: string;
  readonly payoutId: string;
  readonly currency: string;
}

/** What the box of a payout sends. */
export function payoutTick({ source, payoutId, currency }: TickedPayout): string {
  return JSON.stringify([source, payoutId, currency]);
}

/** The payouts whose boxes a form sends, in the order of the page from the bottom up: the earliest first. */
export function tickedPayouts(sent: Query): TickedPayout[] {
  return rowsIn(sent, TICK)
    .flatMap(({ value }) => payoutOf(value))
    .toReversed();
}

function payoutOf(text: string): TickedPayout[] {
  try {
    const [source, payoutId, currency] = JSON.parse(text) as unknown[];
    const isWhole = typeof source === 'string' && typeof payoutId === 'string' && typeof currency === 'string';
    return isWhole ? [{ source, payoutId, currency }] : [];
  } catch {
    return [];
  }
}
