import { groupedCount } from '../../../../pages/index.js';

/** The most ids of one kind in a message. */
const NAMED = 5;

/** What is still open: the ids of bundles, and of deposits that are not reconciled. */
export interface StillOpen {
  readonly bundles: readonly number[];
  readonly deposits: readonly number[];
}

/** " Not finished yet: bundle 2, deposits 14, 15.", to follow a message; an empty text if nothing is open. */
export function stillOpenInWords({ bundles, deposits }: StillOpen): string {
  const parts = [...named('bundle', bundles), ...named('deposit', deposits)];
  return parts.length === 0 ? '' : ` Not finished yet: ${parts.join('; ')}.`;
}

function named(what: string, ids: readonly number[]): string[] {
  if (ids.length === 0) return [];
  const more = ids.length - NAMED;
  const list = ids.slice(0, NAMED).join(', ') + (more > 0 ? ` and ${groupedCount(more)} more` : '');
  return [`${what}${ids.length === 1 ? '' : 's'} ${list}`];
}
