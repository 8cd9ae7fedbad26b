import { Property } from '../../http/index.js';
import { INSTANT, PLAIN_ID_SCHEMA } from '../../values/index.js';
import { DAY } from '../ledger/index.js';

/** The deposit that holds a payment, in the answers that show the payment. */
export class DepositOfPayment {
  @Property(PLAIN_ID_SCHEMA, { description: 'Its id here.', examples: [7] })
  readonly id!: number;

  @Property({ type: 'string' }, { description: 'The sender’s own id of it, as sent.', examples: ['po_1042'] })
  readonly depositId!: string;

  @Property(DAY, { description: 'The day of the payout.', examples: ['2026-07-28'] })
  readonly date!: string;

  @Property(INSTANT, {
    description: 'When it was reconciled with the bank; null if it is not.',
    examples: ['2026-07-30T09:00:00.000Z'],
    nullable: true,
  })
  readonly reconciledAt!: string | null;
}

/** SQL for the {@link DepositOfPayment} of a payment, as JSON; null if no deposit holds it. */
export function depositOfPayment(paymentId: string): string {
  return `(
    SELECT json_build_object('id', d.id, 'depositId', d.deposit_id, 'date', d.day,
      'reconciledAt', to_char(d.reconciled_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
    FROM deposit_item held JOIN deposit d ON d.id = held.deposit_id
    WHERE held.payment_id = ${paymentId} AND NOT held.is_reversal AND held.removed_at IS NULL)`;
}
