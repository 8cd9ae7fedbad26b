import { isoInstant } from '../../database/index.js';
import { Property } from '../../http/index.js';
import { INSTANT, PLAIN_ID_SCHEMA, TEXTS } from '../../values/index.js';
import { DAY } from '../ledger/index.js';

/** The deposit that holds a payment, in the answers that show the payment. */
export class DepositOfPayment {
  @Property(PLAIN_ID_SCHEMA, { description: 'Its id here.', examples: [7] })
  readonly id!: number;

  @Property(TEXTS.ownId, { description: 'The sender’s own id of it, as sent.', examples: ['po_1042'] })
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

/** The deposit of a payment, and its processor; null for a deposit of Finance. */
export type DepositOfPaymentRow = DepositOfPayment & { readonly userId: number | null };

/**
 * What a reader may see of the deposit of a payment.
 * @param processorId the processor that reads, which sees only its own deposits; undefined for Finance and auditors.
 */
export function visibleDeposit(
  deposit: DepositOfPaymentRow | null,
  processorId: number | undefined,
): DepositOfPayment | null {
  if (deposit === null || (processorId !== undefined && deposit.userId !== processorId)) return null;
  const { id, depositId, date, reconciledAt } = deposit;
  return { id, depositId, date, reconciledAt };
}

/** SQL for the {@link DepositOfPaymentRow} of a payment, as JSON; null if no deposit holds it. */
export function depositOfPayment(paymentId: string): string {
  return `(
    SELECT json_build_object('id', d.id, 'userId', d.user_id, 'depositId', d.deposit_id, 'date', d.day,
      'reconciledAt', ${isoInstant('d.reconciled_at')})
    FROM deposit_item held JOIN deposit d ON d.id = held.deposit_id
    WHERE held.payment_id = ${paymentId} AND NOT held.is_reversal AND held.removed_at IS NULL)`;
}
