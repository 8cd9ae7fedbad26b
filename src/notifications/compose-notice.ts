import { DateTime } from 'luxon';
import { type Church, displayAmount, minorUnitsOf } from '../config/index.js';
import type { ContributionReversed } from '../contributions/events/index.js';
import { oneLine } from './one-line.js';

/** The event as it comes back from its notice: its data, no more an instance of the class. */
export type ReversalFacts = Pick<ContributionReversed, keyof ContributionReversed>;

/** What a notice says, before it is addressed to anybody. */
export interface Notice {
  readonly subject: string;
  readonly text: string;
}

/**
 * The notice of one reversal, as plain text. Names and sources come from callers: each is made one line, so that none
 * can begin a line, let alone a header, of its own.
 */
export function composeNotice(reversal: ReversalFacts, church: Church): Notice {
  const amount = formatAmount(reversal.amount, reversal.currency);
  const source = oneLine(reversal.source);
  const facts: readonly (readonly [label: string, value: string])[] = [
    ['Giver', `${oneLine(`${reversal.giver.first} ${reversal.giver.last}`)} (PeopleId ${reversal.giver.peopleId})`],
    ['Amount', amount],
    ['Fund', oneLine(reversal.fund.name)],
    ['Date of the gift', reversal.day],
    ['ContributionId', String(reversal.contributionId)],
    ['Reversing entry', String(reversal.reversingContributionId)],
    ['Reversed at', formatInstant(reversal.reversedAt, church.timeZone)],
    ['Source', source],
    ['User', oneLine(reversal.username)],
  ];
  return {
    subject: `[Offertory] Gift ${reversal.contributionId} reversed: ${amount} (${source})`,
    text: [
      `A gift to ${oneLine(church.name)} was taken back.`,
      '',
      ...facts.map(([label, value]) => `${`${label}:`.padEnd(18)}${value}`),
      '',
      'The reversing entry is booked, so all totals are net of this gift already. Please check it against the',
      'statement of the payment processor, and correct the giving statement if one was sent.',
      '',
    ].join('\n'),
  };
}

/** "USD 10.00", "JPY 500" */
function formatAmount(amount: string, currency: string): string {
  return `${currency} ${displayAmount(amount, minorUnitsOf(currency) ?? 2)}`;
}

/** "2026-07-26 14:05:09 CDT (America/Chicago, UTC-05:00)" */
function formatInstant(iso: string, timeZone: string): string {
  const instant = DateTime.fromISO(iso, { zone: timeZone, locale: 'en-US' });
  return instant.toFormat(`yyyy-MM-dd HH:mm:ss ZZZZ '(${timeZone}, UTC'ZZ')'`);
}
