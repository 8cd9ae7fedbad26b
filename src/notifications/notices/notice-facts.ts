import { DateTime } from 'luxon';
import { type Church } from '../../config/index.js';
import type { ContributionReversed } from '../../contributions/events/index.js';
import { oneLine } from '../transport/one-line.js';
import { displayAmount } from '../../values/index.js';
import { withoutLinks } from './without-links.js';

/** The data of the event as stored in its notice, which is no longer an instance of the class. */
export type ReversalFacts = Pick<ContributionReversed, keyof ContributionReversed>;

/** The variables of a notice's templates. Each is one line of text. */
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
 * The variables of the notice of a reversal. Names and sources come from callers, so each is reduced to one line. None
 * can add a line or a header to the mail, or a link.
 */
export function noticeFacts(reversal: ReversalFacts, church: Church): NoticeFacts {
  return {
    church: oneLine(church.name),
    giver: inert(`${reversal.giver.first} ${reversal.giver.last}`),
    peopleId: String(reversal.giver.peopleId),
    amount: formatAmount(reversal.amount, reversal.currency),
    fund: inert(reversal.fund.name),
    day: reversal.day,
    contributionId: String(reversal.contributionId),
    reversingContributionId: String(reversal.reversingContributionId),
    reversedAt: formatInstant(reversal.reversedAt, church.timeZone),
    source: inert(reversal.source),
    user: inert(reversal.username),
  };
}

/** A text that somebody else wrote, as one line without links. */
function inert(text: string): string {
  return withoutLinks(oneLine(text));
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
