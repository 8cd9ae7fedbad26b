import { Property } from '../../http/index.js';
import { listUpTo, PLAIN_ID_SCHEMA, TEXTS } from '../../values/index.js';
import { DepositOfPayment } from '../deposits/index.js';
import { MONEY, PAYMENT_METHODS, type PaymentMethod } from '../ledger/index.js';

/** What was paid at once. All its entries show it. */
export class PaymentView {
  @Property(PLAIN_ID_SCHEMA, { description: 'Id of the payment: that of its first part.', examples: [1] })
  readonly paymentId!: number;

  @Property(MONEY, { description: 'What was paid: the sum of its parts.', examples: ['10.00'] })
  readonly amount!: string;

  @Property(MONEY, {
    description: 'What the processor keeps of it; null if it was not sent.',
    examples: ['0.55'],
    nullable: true,
  })
  readonly fee!: string | null;

  @Property(MONEY, {
    description: '`amount` without `fee`; null if the fee is unknown.',
    examples: ['9.45'],
    nullable: true,
  })
  readonly net!: string | null;

  @Property(
    { type: 'string', enum: PAYMENT_METHODS },
    { description: 'How it was paid; null if it was not sent.', examples: ['card'], nullable: true },
  )
  readonly method!: PaymentMethod | null;

  @Property(TEXTS.checkNumber, { description: 'As sent.', examples: ['1042'], nullable: true })
  readonly checkNumber!: string | null;

  @Property(TEXTS.ownId, { description: 'As sent.', examples: ['po_7'], nullable: true })
  readonly payoutId!: string | null;

  @Property(listUpTo(PLAIN_ID_SCHEMA), {
    description: 'Its parts as sent, the first first: several if it was sent with `Splits`.',
    examples: [[1]],
  })
  readonly parts!: readonly number[];

  @Property(DepositOfPayment, {
    description:
      'The deposit by which it was paid out; null if it is in none. A processor sees only its own deposits. It does not change `updatedAt`.',
    nullable: true,
  })
  readonly deposit!: DepositOfPayment | null;
}
