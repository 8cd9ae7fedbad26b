import { Property } from '../../http/index.js';
import { INSTANT, PLAIN_ID_SCHEMA, TEXTS } from '../../values/index.js';
import { COUNT, CURRENCY, DAY, MONEY } from '../ledger/index.js';

/** `status` of a deposit. */
export const DEPOSIT_STATUSES = ['Open', 'Differs', 'Matches', 'Reconciled'] as const;

export type DepositStatus = (typeof DEPOSIT_STATUSES)[number];

/** A deposit without its items. All amounts are decimal text in its currency. */
export class DepositView {
  @Property(PLAIN_ID_SCHEMA, { description: 'Its id here. It is in the paths of calls.', examples: [7] })
  readonly id!: number;

  @Property(TEXTS.ownId, { description: 'As sent.', examples: ['txt2give'] })
  readonly source!: string;

  @Property(TEXTS.ownId, {
    description: 'The sender’s own id of it, as sent; of a payout, its PayoutId.',
    examples: ['po_1042'],
  })
  readonly depositId!: string;

  @Property(TEXTS.actor, {
    description: 'The user who sent it; null if Finance has made it.',
    examples: ['txt2give'],
    nullable: true,
  })
  readonly user!: string | null;

  @Property(DAY, { description: 'The day of the payout.', examples: ['2026-07-28'] })
  readonly date!: string;

  @Property(
    { type: 'string', enum: DEPOSIT_STATUSES },
    {
      description:
        '`Open`: there is no amount to compare with yet. `Differs`: `difference` is not 0, or items are not in the books. ' +
        '`Matches`: it can be reconciled. `Reconciled`: it never changes.',
      examples: ['Differs'],
    },
  )
  readonly status!: DepositStatus;

  @Property(CURRENCY, { description: 'ISO 4217.', examples: ['USD'] })
  readonly currency!: string;

  @Property(COUNT, { description: 'Payments and reversals in it, without removed ones.', examples: [4] })
  readonly itemCount!: number;

  @Property(COUNT, { description: 'Those of them that are not in the books. They count as 0.', examples: [0] })
  readonly unknownCount!: number;

  @Property(MONEY, { description: 'The sum of its payments.', examples: ['1660.00'] })
  readonly gross!: string;

  @Property(MONEY, { description: 'What the processor keeps.', examples: ['49.34'] })
  readonly fees!: string;

  @Property(MONEY, { description: 'The sum of the reversals in it.', examples: ['0.00'] })
  readonly reversed!: string;

  @Property(MONEY, { description: 'The sum of its adjustments.', examples: ['0.00'] })
  readonly adjusted!: string;

  @Property(MONEY, { description: '`gross` − `fees` − `reversed` + `adjusted`.', examples: ['1610.66'] })
  readonly expected!: string;

  @Property(MONEY, {
    description: 'What the processor says that it pays out; null if it does not say.',
    examples: ['1610.65'],
    nullable: true,
  })
  readonly amount!: string | null;

  @Property(DAY, { description: 'When the bank received it.', examples: ['2026-07-29'], nullable: true })
  readonly bankDate!: string | null;

  @Property(TEXTS.ownId, { description: 'The bank’s reference.', examples: ['STMT 7/29 line 4'], nullable: true })
  readonly bankReference!: string | null;

  @Property(MONEY, { description: 'What the bank received.', examples: ['1610.65'], nullable: true })
  readonly bankAmount!: string | null;

  @Property(MONEY, {
    description: '`bankAmount`, or without one `amount`, without `expected`. Null if there is neither.',
    examples: ['-0.01'],
    nullable: true,
  })
  readonly difference!: string | null;

  @Property(TEXTS.actor, { description: 'User name, or `command line`.', examples: ['txt2give'] })
  readonly createdBy!: string;

  @Property(INSTANT, { description: 'When it was first sent or made.', examples: ['2026-07-28T14:03:09.512Z'] })
  readonly createdAt!: string;

  @Property(TEXTS.actor, { description: 'User name, or `command line`.', examples: ['treasurer'], nullable: true })
  readonly reconciledBy!: string | null;

  @Property(INSTANT, { description: 'When it was reconciled.', examples: ['2026-07-30T09:00:00.000Z'], nullable: true })
  readonly reconciledAt!: string | null;
}
