import { DateTime } from 'luxon';
import { type Church } from '../../config/index.js';
import type { ContributionReversed } from '../../contributions/events/index.js';
import { oneLine } from '../transport/one-line.js';
import { displayAmount } from '../../values/index.js';

/** The event as it comes back from its notice: its data, no more an instance of the class. */
export type ReversalFacts = Pick<ContributionReversed, keyof ContributionReversed>;

/** What the templates of a notice may name, each one line of text. */
export type NoticeFacts = Readonly<Record<(typeof FACT_NAMES)[number], string>>;

export const FACT_NAMES = [
  'church',
  'giver',
  'peopleId',
  'amount',
  'fund',
  'day',
  'contributionId',
  'reversingContributionId',
  'reversedAt',
  'source',
  'user',
] as const;

/**
 * What the notice of a reversal says. Names and sources come from callers: each is made one line, so that none can begin
 * a line, let alone a header, of its own.
 */
export function noticeFacts(reversal: ReversalFacts, church: Church): NoticeFacts {
  return {
    church: oneLine(church.name),
    giver: oneLine(`${reversal.giver.first} ${reversal.giver.last}`),
    peopleId: String(reversal.giver.peopleId),
    amount: formatAmount(reversal.amount, reversal.currency),
    fund: oneLine(reversal.fund.name),
    day: reversal.day,
    contributionId: String(reversal.contributionId),
    reversingContributionId: String(reversal.reversingContributionId),
    reversedAt: formatInstant(reversal.reversedAt, church.timeZone),
    source: oneLine(reversal.source),
    user: oneLine(reversal.username),
  };
}

/** "USD 10.00", "JPY 500" */
function formatAmount(amount: string, currency: string): string {
  return `${currency} ${displayAmount(amount, currency)}`;
}

/** "2026-07-26 14:05:09 CDT (America/Chicago, UTC-05:00)" */
function formatInstant(iso: string, timeZone: string): string {
  const instant = DateTime.fromISO(iso, { zone: timeZone, locale: 'en-US' });
  return instant.toFormat(`yyyy-MM-dd HH:mm:ss ZZZZ '(${timeZone}, UTC'ZZ')'`);
}
