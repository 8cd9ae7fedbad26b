import { listOf, Property } from '../../../http/index.js';
import { PLAIN_ID_SCHEMA, TEXTS } from '../../../values/index.js';
import { COUNT, CURRENCY, DAY, MONEY } from '../../ledger/index.js';

/** The most payouts in one answer. */
export const PAYOUTS_PER_LIST = 200;
/** The most payments and reversals on a page. */
export const ROWS_PER_PAGE = 200;

/** A payout with gifts that no deposit has. */
export class PayoutView {
  @Property(TEXTS.ownId, { description: 'The source of its gifts.', examples: ['txt2give'] })
  readonly source!: string;

  @Property(TEXTS.ownId, { description: 'The PayoutId of its gifts.', examples: ['po_1042'] })
  readonly payoutId!: string;

  @Property(COUNT, { description: 'Its payments that no deposit has.', examples: [4] })
  readonly count!: number;

  @Property(CURRENCY, { description: 'ISO 4217.', examples: ['USD'] })
  readonly currency!: string;

  @Property(MONEY, { description: 'The sum of these payments.', examples: ['1660.00'] })
  readonly gross!: string;

  @Property(MONEY, { description: 'The sum of their fees, as far as they are known.', examples: ['49.34'] })
  readonly fees!: string;

  @Property(COUNT, { description: 'How many of these fees are unknown.', examples: [0] })
  readonly unknownFees!: number;

  @Property(DAY, { description: 'The day of the first of these gifts.', examples: ['2026-07-25'] })
  readonly from!: string;

  @Property(DAY, { description: 'The day of the last of these gifts.', examples: ['2026-07-27'] })
  readonly to!: string;

  @Property(PLAIN_ID_SCHEMA, {
    description: 'The deposit of this payout, if it exists: these gifts have come later. DepositPayout adds them.',
    examples: [7],
    nullable: true,
  })
  readonly deposit!: number | null;

  @Property(
    { type: 'boolean' },
    {
      description: 'Whether that deposit is reconciled: it never changes, so these gifts need another one.',
      examples: [false],
    },
  )
  readonly reconciled!: boolean;
}

/** Payouts with gifts that no deposit has. */
export class PayoutList {
  @Property(listOf(PayoutView, PAYOUTS_PER_LIST), { description: `The latest first, ${PAYOUTS_PER_LIST} at most.` })
  readonly payouts!: readonly PayoutView[];
}

/** The giver of a gift that no deposit has. */
class UndepositedGiver {
  @Property(PLAIN_ID_SCHEMA, { description: 'The person who has the gift.', examples: [152] })
  readonly peopleId!: number;

  @Property(TEXTS.name, { description: 'First name.', examples: ['John'] })
  readonly first!: string;

  @Property(TEXTS.name, { description: 'Last name.', examples: ['Appleseed'] })
  readonly last!: string;
}

/** A payment or a reversal that no deposit has. */
export class UndepositedView {
  @Property(PLAIN_ID_SCHEMA, {
    description:
      'The payment, or the first entry of the reversal. AddDepositItems takes it as `ContributionId` or `ReversalOf`.',
    examples: [1],
  })
  readonly contributionId!: number;

  @Property(
    { type: 'string', enum: ['Payment', 'Reversal'] },
    { description: 'A payment adds to a deposit, and a reversal takes from it.', examples: ['Payment'] },
  )
  readonly kind!: 'Payment' | 'Reversal';

  @Property(DAY, { description: 'The day of the gift, or of the reversal.', examples: ['2026-07-26'] })
  readonly day!: string;

  @Property(CURRENCY, { description: 'ISO 4217.', examples: ['USD'] })
  readonly currency!: string;

  @Property(MONEY, { description: 'What was paid, or taken back; not negated.', examples: ['10.00'] })
  readonly amount!: string;

  @Property(MONEY, {
    description: 'What the processor keeps; null if it is unknown.',
    examples: ['0.59'],
    nullable: true,
  })
  readonly fee!: string | null;

  @Property(TEXTS.ownId, { description: 'Of the gift, as sent.', examples: ['T-20260726-0042'], nullable: true })
  readonly transactionId!: string | null;

  @Property(TEXTS.ownId, { description: 'Of the gift, as sent.', examples: ['po_1042'], nullable: true })
  readonly payoutId!: string | null;

  @Property(UndepositedGiver, { description: 'The giver, by the present name.' })
  readonly giver!: UndepositedGiver;
}

/** Payments and reversals that no deposit has. */
export class UndepositedPage {
  @Property(listOf(UndepositedView, ROWS_PER_PAGE), { description: `By contributionId, ${ROWS_PER_PAGE} at most.` })
  readonly undeposited!: readonly UndepositedView[];

  @Property(PLAIN_ID_SCHEMA, {
    description: 'For the next page: send it as `after`. Null if there are no more.',
    examples: [231],
    nullable: true,
  })
  readonly next!: number | null;
}
