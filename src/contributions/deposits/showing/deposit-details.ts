import { listOf, Property } from '../../../http/index.js';
import { INSTANT, listUpTo, PLAIN_ID_SCHEMA, TEXTS } from '../../../values/index.js';
import { REASON_NAMES, type ReversalReason } from '../../events/index.js';
import { COUNT, DAY, MONEY, PAYMENT_METHODS, type PaymentMethod } from '../../ledger/index.js';
import { DepositView } from '../deposit-view.js';
import { LikelyCause } from './causes/likely-cause.js';

/** The most deposits in one answer. `before` continues the list. */
export const DEPOSITS_PER_LIST = 200;
/** The most items on a page of a deposit. */
export const MOST_ITEMS_SHOWN = 1_000;
/** The most reversals that a deposit shows as made since. */
export const REVERSALS_SHOWN = 200;

/** The giver of an item. */
class DepositGiver {
  @Property(PLAIN_ID_SCHEMA, { description: 'The person who has the gift.', examples: [152] })
  readonly peopleId!: number;

  @Property(TEXTS.name, { description: 'First name.', examples: ['John'] })
  readonly first!: string;

  @Property(TEXTS.name, { description: 'Last name.', examples: ['Appleseed'] })
  readonly last!: string;
}

/** An item of a deposit: a payment, or a reversal. */
export class DepositItemView {
  @Property(PLAIN_ID_SCHEMA, { description: 'Its id.', examples: [12] })
  readonly itemId!: number;

  @Property(
    { type: 'string', enum: ['Payment', 'Reversal'] },
    { description: 'A payment adds to the deposit, and a reversal takes from it.', examples: ['Payment'] },
  )
  readonly kind!: 'Payment' | 'Reversal';

  @Property(PLAIN_ID_SCHEMA, {
    description: 'The payment, or the one from which the reversal took. Null while it is not in the books.',
    examples: [1],
    nullable: true,
  })
  readonly paymentId!: number | null;

  @Property(PLAIN_ID_SCHEMA, {
    description: 'Of a reversal: its first reversing entry. Null while it is not in the books.',
    examples: [2],
    nullable: true,
  })
  readonly reversalId!: number | null;

  @Property(TEXTS.ownId, {
    description: 'The sender’s own id of the gift: as named, or that of the gift.',
    examples: ['T-20260726-0042'],
    nullable: true,
  })
  readonly transactionId!: string | null;

  @Property(TEXTS.ownId, { description: 'The sender’s own id of the refund.', examples: ['re_1001'], nullable: true })
  readonly refundId!: string | null;

  @Property(MONEY, {
    description: 'What was paid, or taken back; not negated. Null while it is not in the books.',
    examples: ['10.00'],
    nullable: true,
  })
  readonly amount!: string | null;

  @Property(MONEY, {
    description: 'What the processor keeps; null if it is unknown.',
    examples: ['0.59'],
    nullable: true,
  })
  readonly fee!: string | null;

  @Property(MONEY, { description: 'The fee that came with the gift.', examples: ['0.59'], nullable: true })
  readonly giftFee!: string | null;

  @Property(DAY, { description: 'The day of the gift, or of the reversal.', examples: ['2026-07-26'], nullable: true })
  readonly day!: string | null;

  @Property(DepositGiver, { description: 'Null while it is not in the books.', nullable: true })
  readonly giver!: DepositGiver | null;

  @Property(
    { type: 'string', enum: PAYMENT_METHODS },
    { description: 'How it was paid; null if it was not sent.', examples: ['card'], nullable: true },
  )
  readonly method!: PaymentMethod | null;

  @Property(listUpTo(TEXTS.name), { description: 'The names of its funds, as they are now.', examples: [['General']] })
  readonly funds!: readonly string[];

  @Property(listUpTo(PLAIN_ID_SCHEMA), { description: 'The bundles of its entries.', examples: [[7]] })
  readonly bundleIds!: readonly number[];

  @Property(MONEY, {
    description: 'Of a payment: how much is taken back by now, without what was reinstated. Of a reversal 0.',
    examples: ['0.00'],
  })
  readonly reversedAmount!: string;

  @Property(TEXTS.actor, { description: 'Who added it: user name, or `command line`.', examples: ['txt2give'] })
  readonly addedBy!: string;

  @Property(TEXTS.actor, {
    description: 'Who removed it; null if it is in the deposit.',
    examples: ['treasurer'],
    nullable: true,
  })
  readonly removedBy!: string | null;

  @Property(TEXTS.reason, { description: 'Why it was removed.', examples: ['In the next payout'], nullable: true })
  readonly removalReason!: string | null;
}

/** An adjustment of a deposit. */
export class DepositAdjustmentView {
  @Property(PLAIN_ID_SCHEMA, { description: 'Its id.', examples: [3] })
  readonly adjustmentId!: number;

  @Property(MONEY, { description: 'What it adds; negative if it takes from the deposit.', examples: ['-0.01'] })
  readonly amount!: string;

  @Property(TEXTS.reason, { description: 'Why.', examples: ['Rounded by the processor'] })
  readonly reason!: string;

  @Property(TEXTS.actor, { description: 'User name, or `command line`.', examples: ['treasurer'] })
  readonly by!: string;

  @Property(INSTANT, { description: 'When it was added.', examples: ['2026-07-30T09:00:00.000Z'] })
  readonly at!: string;
}

/** A bundle in which entries of a deposit are. */
export class DepositBundle {
  @Property(PLAIN_ID_SCHEMA, { description: 'Its id.', examples: [7] })
  readonly bundleId!: number;

  @Property(TEXTS.name, { description: 'Name of the bundle type.', examples: ['Online'] })
  readonly bundleType!: string;

  @Property(TEXTS.actor, { description: 'Name of the user who added its gifts.', examples: ['txt2give'] })
  readonly user!: string;

  @Property(DAY, { description: 'The day in church time.', examples: ['2026-07-26'] })
  readonly day!: string;

  @Property({ type: 'string', enum: ['Open', 'Closed'] }, { description: 'As of any bundle.', examples: ['Open'] })
  readonly status!: 'Open' | 'Closed';

  @Property(COUNT, { description: 'Entries of this deposit in it.', examples: [4] })
  readonly count!: number;

  @Property(MONEY, { description: 'The sum of these entries.', examples: ['1660.00'] })
  readonly total!: string;

  @Property(COUNT, {
    description:
      'Entries of the bundle that are in no reconciled deposit. While there are any, it is not closed with the deposit. Moves ' +
      'and pledges do not count.',
    examples: [0],
  })
  readonly uncovered!: number;
}

/** A reversal of a payment of the deposit, which is not in the deposit itself. */
export class ReversalSince {
  @Property(PLAIN_ID_SCHEMA, { description: 'Its first reversing entry.', examples: [9] })
  readonly reversalId!: number;

  @Property(PLAIN_ID_SCHEMA, { description: 'The payment.', examples: [1] })
  readonly paymentId!: number;

  @Property(MONEY, { description: 'What it took back; not negated.', examples: ['10.00'] })
  readonly amount!: string;

  @Property(DAY, { description: 'The day of the reversal.', examples: ['2026-07-30'] })
  readonly day!: string;

  @Property(
    { type: 'string', enum: REASON_NAMES },
    { description: 'Why; null if it was not said.', examples: ['refund'], nullable: true },
  )
  readonly reason!: ReversalReason | null;

  @Property(PLAIN_ID_SCHEMA, { description: 'The deposit that has it; null: none.', examples: [8], nullable: true })
  readonly inDeposit!: number | null;
}

/** A deposit with all that is needed to compare it with the bank. */
export class DepositDetails extends DepositView {
  @Property(listOf(LikelyCause), {
    description: 'Likely causes of the difference. Empty if the deposit matches, is reconciled, or cannot be compared.',
  })
  readonly likelyCauses!: readonly LikelyCause[];

  @Property(listOf(DepositAdjustmentView), { description: 'The first first.' })
  readonly adjustments!: readonly DepositAdjustmentView[];

  @Property(listOf(ReversalSince, REVERSALS_SHOWN), {
    description: `What was taken back of its payments and is not in the deposit, at most ${REVERSALS_SHOWN}.`,
  })
  readonly reversedSince!: readonly ReversalSince[];

  @Property(listOf(DepositBundle), { description: 'The bundles of its entries, by id.' })
  readonly bundles!: readonly DepositBundle[];

  @Property(listOf(DepositItemView, MOST_ITEMS_SHOWN), {
    description: 'Its items, by itemId, and those that were removed: one page.',
  })
  readonly items!: readonly DepositItemView[];

  @Property(PLAIN_ID_SCHEMA, {
    description: 'For the next page of items: send it as `after`. Null if there are no more.',
    examples: [212],
    nullable: true,
  })
  readonly next!: number | null;
}

/** A list of deposits. */
export class DepositList {
  @Property(listOf(DepositView, DEPOSITS_PER_LIST), {
    description: `The newest first, ${DEPOSITS_PER_LIST} at most.`,
  })
  readonly deposits!: readonly DepositView[];
}
