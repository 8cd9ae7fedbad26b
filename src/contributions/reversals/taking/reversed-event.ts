import { randomUUID } from 'node:crypto';
import type { Caller } from '../../../auth/index.js';
import { fromCents, sumOfAmounts, toCents } from '../../../values/index.js';
import { ContributionReversed, type ReversalReason } from '../../events/index.js';
import { leftOf } from './as-seen.js';
import type { ReversingEntry } from './insert-reversing-entries.js';
import type { GiftRow, LockedPayment } from './payment-rows.js';

/** A reversal that was written. */
interface WrittenReversal {
  readonly command: {
    readonly source: string | null;
    readonly reason?: ReversalReason | undefined;
    readonly user: Pick<Caller, 'username'>;
  };
  readonly payment: LockedPayment;
  /** The gifts of the payment before the reversal, by id. */
  readonly before: readonly GiftRow[];
  readonly entries: readonly ReversingEntry[];
}

/** The event of a reversal. */
export function reversedEvent({ command, payment, before, entries }: WrittenReversal): ContributionReversed {
  const [entry] = entries;
  if (entry === undefined) throw new Error('A reversal has at least one entry');
  const { gift } = entry;
  const [firstPart = gift] = before;
  const amount = sumOfAmounts(entries.map((each) => each.gift.taken));
  return new ContributionReversed({
    eventId: randomUUID(),
    contributionId: payment.paymentId,
    reversingContributionId: entry.id,
    giver: { peopleId: gift.person_id, first: gift.first_name, last: gift.last_name },
    amount,
    left: fromCents(toCents(leftOf(before)) - toCents(amount)),
    isPartial: toCents(amount) < toCents(payment.paid),
    currency: gift.currency,
    fund: fundOf(gift),
    entries: entries.map((each) => ({
      contributionId: each.gift.id,
      reversingContributionId: each.id,
      amount: each.gift.taken,
      fund: fundOf(each.gift),
    })),
    day: gift.day,
    reason: command.reason ?? null,
    source: command.source,
    addedBy: firstPart.added_by,
    username: command.user.username,
    reversedAt: entry.createdAt.toISOString(),
  });
}

function fundOf({ fund_id, fund_name }: GiftRow): ContributionReversed['fund'] {
  return { id: fund_id, name: fund_name };
}
