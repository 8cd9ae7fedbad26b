import { listOf, Property } from '../../../http/index.js';
import { INSTANT, type JsonSchema, PLAIN_ID_SCHEMA } from '../../../values/index.js';
import { REASON_NAMES, type ReversalReason } from '../../events/index.js';
import { COUNT, DAY, MONEY, PAYMENT_METHODS, type PaymentMethod } from '../../ledger/index.js';
import { DepositView } from '../deposit-view.js';
import { CAUSE_CODES, type CauseCode } from './causes/cause-codes.js';

const TEXT: JsonSchema = { type: 'string' };
const IDS: JsonSchema = { type: 'array', items: PLAIN_ID_SCHEMA };
const TEXTS: JsonSchema = { type: 'array', items: TEXT };

/** The giver of an item. */
class DepositGiver {
  @Property(PLAIN_ID_SCHEMA, { description: 'The person who has the gift.', examples: [152] })
  readonly peopleId!: number;

  @Property(TEXT, { description: 'First name.', examples: ['John'] })
  readonly first!: string;

  @Property(TEXT, { description: 'Last name.', examples: ['Appleseed'] })
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

  @Property(TEXT, {
    description: 'The sender’s own id of the gift: as named, or that of the gift.',
    examples: ['T-20260726-0042'],
    nullable: true,
  })
  readonly transactionId!: string | null;

  @Property(TEXT, { description: 'The sender’s own id of the refund.', examples: ['re_1001'], nullable: true })
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

  @Property(TEXTS, { description: 'The names of its funds, as they are now.', examples: [['General']] })
  readonly funds!: readonly string[];

  @Property(IDS, { description: 'The bundles of its entries.', examples: [[7]] })
  readonly bundleIds!: readonly number[];

  @Property(MONEY, {
    description: 'Of a payment: how much is taken back by now, without what was reinstated. Of a reversal 0.',
    examples: ['0.00'],
  })
  readonly reversedAmount!: string;

  @Property(TEXT, { description: 'Who added it: user name, or `command line`.', examples: ['txt2give'] })
  readonly addedBy!: string;

  @Property(TEXT, {
    description: 'Who removed it; null if it is in the deposit.',
    examples: ['treasurer'],
    nullable: true,
  })
  readonly removedBy!: string | null;

  @Property(TEXT, { description: 'Why it was removed.', examples: ['In the next payout'], nullable: true })
  readonly removalReason!: string | null;
}

/** An adjustment of a deposit. */
export class DepositAdjustmentView {
  @Property(PLAIN_ID_SCHEMA, { description: 'Its id.', examples: [3] })
  readonly adjustmentId!: number;

  @Property(MONEY, { description: 'What it adds; negative if it takes from the deposit.', examples: ['-0.01'] })
  readonly amount!: string;

  @Property(TEXT, { description: 'Why.', examples: ['Rounded by the processor'] })
  readonly reason!: string;

  @Property(TEXT, { description: 'User name, or `command line`.', examples: ['treasurer'] })
  readonly by!: string;

  @Property(INSTANT, { description: 'When it was added.', examples: ['2026-07-30T09:00:00.000Z'] })
  readonly at!: string;
}

/** A bundle in which entries of a deposit are. */
export class DepositBundle {
  @Property(PLAIN_ID_SCHEMA, { description: 'Its id.', examples: [7] })
  readonly bundleId!: number;

  @Property(TEXT, { description: 'Name of the bundle type.', examples: ['Online'] })
  readonly bundleType!: string;

  @Property(TEXT, { description: 'Name of the user who added its gifts.', examples: ['txt2give'] })
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

/** A likely cause of a difference. */
export class LikelyCause {
  @Property(
    { type: 'string', enum: CAUSE_CODES },
    { description: 'The cause, for programs.', examples: ['not_in_books'] },
  )
  readonly code!: CauseCode;

  @Property(TEXT, { description: 'The cause, for people.', examples: ['1 item is not in the books: T-20260726-0042.'] })
  readonly words!: string;

  @Property(COUNT, { description: 'How many items or gifts it is about.', examples: [1] })
  readonly count!: number;

  @Property(MONEY, {
    description: 'By how much it would change the difference; null if nobody knows.',
    examples: ['9.41'],
    nullable: true,
  })
  readonly amount!: string | null;

  @Property(
    { type: 'boolean' },
    { description: 'Whether this cause alone explains the whole difference.', examples: [false] },
  )
  readonly explains!: boolean;

  @Property(IDS, { description: 'The itemIds of items of the deposit that it is about, at most 50.', examples: [[12]] })
  readonly itemIds!: readonly number[];

  @Property(IDS, {
    description: 'The ids of gifts and reversing entries that it is about, at most 50.',
    examples: [[1]],
  })
  readonly contributionIds!: readonly number[];
}

/** A deposit with all that is needed to compare it with the bank. */
export class DepositDetails extends DepositView {
  @Property(listOf(LikelyCause), {
    description: 'Likely causes of the difference. Empty if the deposit matches, is reconciled, or cannot be compared.',
  })
  readonly likelyCauses!: readonly LikelyCause[];

  @Property(listOf(DepositAdjustmentView), { description: 'The first first.' })
  readonly adjustments!: readonly DepositAdjustmentView[];

  @Property(listOf(ReversalSince), {
    description: 'What was taken back of its payments and is not in the deposit, at most 200.',
  })
  readonly reversedSince!: readonly ReversalSince[];

  @Property(listOf(DepositBundle), { description: 'The bundles of its entries, by id.' })
  readonly bundles!: readonly DepositBundle[];

  @Property(listOf(DepositItemView), { description: 'Its items, by itemId, and those that were removed: one page.' })
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
  @Property(listOf(DepositView), { description: 'The newest first, 200 at most.' })
  readonly deposits!: readonly DepositView[];
}
