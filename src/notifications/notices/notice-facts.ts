import { DateTime } from 'luxon';
import { type Church } from '../../config/index.js';
import { type ContributionReversed, REVERSAL_REASONS } from '../../contributions/events/index.js';
import { oneLine } from '../transport/one-line.js';
import { displayAmount, fromCents, storedAmount, toCents } from '../../values/index.js';
import { withoutLinks } from './without-links.js';

/** Fields that releases before did not store in their notices. The first reversed whole gifts only, without a reason. */
type Added = 'left' | 'isPartial' | 'entries' | 'reason' | 'addedBy';

/** The data of the event as stored in its notice, which is no longer an instance of the class. */
export type ReversalFacts = Omit<ContributionReversed, Added> & Partial<Pick<ContributionReversed, Added>>;

/** The variables of a notice's templates. */
export type NoticeFacts = Readonly<Record<(typeof LINES)[number], string>> & {
  /** A line for each fund. */
  readonly funds: readonly string[];
  /** Whether only a part of the gift was taken back. */
  readonly isPartial: boolean;
  /** What to do for this reason; empty without a reason. */
  readonly advice: string;
};

/** The variables that are one line of text and are always shown. */
export const LINES = [
  'church',
  'giver',
  'peopleId',
  'amount',
  'left',
  'reason',
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
  const { left = '0.00', currency, reason = null, isPartial = false } = reversal;
  return {
    church: oneLine(church.name),
    giver: inert(`${reversal.giver.first} ${reversal.giver.last}`),
    peopleId: String(reversal.giver.peopleId),
    amount: formatAmount(reversal.amount, currency),
    left: /[1-9]/.test(left) ? formatAmount(left, currency) : 'nothing',
    reason: reason ?? 'not given',
    advice: reason === null ? '' : REVERSAL_REASONS[reason].advice,
    funds: linesOfFunds(reversal),
    isPartial,
    day: reversal.day,
    contributionId: String(reversal.contributionId),
    reversingContributionId: (reversal.entries ?? [reversal]).map((entry) => entry.reversingContributionId).join(', '),
    reversedAt: formatInstant(reversal.reversedAt, church.timeZone),
    source: reversal.source === null ? 'Finance' : inert(reversal.source),
    user: inert(reversal.username),
  };
}

/** "General", or for several funds "General: USD 7.00" and so on. */
function linesOfFunds({ entries = [], fund, currency }: ReversalFacts): string[] {
  const byFund = new Map<number, { readonly name: string; readonly cents: bigint }>();
  for (const entry of entries) {
    const { id, name } = entry.fund;
    byFund.set(id, { name, cents: (byFund.get(id)?.cents ?? 0n) + toCents(storedAmount(entry.amount)) });
  }
  if (byFund.size <= 1) return [inert(fund.name)];
  return [...byFund.values()].map(({ name, cents }) => `${inert(name)}: ${formatAmount(fromCents(cents), currency)}`);
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
