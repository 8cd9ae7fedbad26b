import type { Query } from '../../../http/index.js';
import { isFault, readPathId } from '../../../values/index.js';
import { describeTotals } from '../../ledger/index.js';
import type { IsExpected } from '../bundles.service.js';

/** A bundle that somebody has ticked on a page. */
export interface TickedBundle {
  readonly bundleId: number;
  /** What it held when the page was shown, as {@link describeTotals} tells it. */
  readonly holds: string;
}

const PREFIX = 'bundle-';

/** The name of the box of a bundle. */
export function tickName(bundleId: number): string {
  return `${PREFIX}${bundleId}`;
}

/** The bundles whose boxes a form sends, lower ids first. */
export function tickedIn(sent: Query): TickedBundle[] {
  const ticked = Object.keys(sent).flatMap((name) => {
    if (!name.startsWith(PREFIX)) return [];
    const id = readPathId(name.slice(PREFIX.length));
    return isFault(id) ? [] : ticksOf(id.value, sent, name);
  });
  return ticked.sort((one, other) => one.bundleId - other.bundleId);
}

/** The bundle with what the form says that it held; none if it says nothing. */
export function ticksOf(bundleId: number, sent: Query, name = 'holds'): TickedBundle[] {
  const holds = sent[name];
  return typeof holds === 'string' && holds !== '' ? [{ bundleId, holds }] : [];
}

/** Whether a bundle still holds what was shown. */
export function isHolding(holds: string): IsExpected {
  return (totals) => describeTotals(totals) === holds;
}
