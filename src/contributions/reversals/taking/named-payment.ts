import type { EntityManager } from 'typeorm';
import { prepared, sqlRow } from '../../../database/index.js';
import { ContributionNotFoundError } from '../../ledger/index.js';
import { ContributionNotReversibleError, TransactionNotFoundError } from '../errors.js';

/** A payment by the id of one of its contributions, or by the sender's own id of it. */
export type PaymentName =
  { readonly contributionId: number } | { readonly transactionId: string; readonly source: string };

const SELECT_OF_TRANSACTION = prepared(`
  SELECT id FROM contribution WHERE created_by = $1 AND source = $2 AND transaction_id = $3 AND payment_id = id`);

/** The contribution that a command names. @throws TransactionNotFoundError */
export async function contributionOf(
  tx: EntityManager,
  { payment, user }: { readonly payment: PaymentName; readonly user: { readonly userId: number } },
): Promise<number> {
  if ('contributionId' in payment) return payment.contributionId;
  const { source, transactionId } = payment;
  const gift = await sqlRow<{ id: number }>(tx, SELECT_OF_TRANSACTION, [user.userId, source, transactionId]);
  if (gift === undefined) throw new TransactionNotFoundError(payment);
  return gift.id;
}

const SELECT_PAYMENT = prepared('SELECT payment_id, reverses_id FROM contribution WHERE id = $1');

/** The payment of a contribution. @throws ContributionNotFoundError, ContributionNotReversibleError */
export async function paymentOf(tx: EntityManager, contributionId: number): Promise<number> {
  interface Row {
    payment_id: number;
    reverses_id: number | null;
  }
  const row = await sqlRow<Row>(tx, SELECT_PAYMENT, [contributionId]);
  if (row === undefined) throw new ContributionNotFoundError(contributionId);
  assertReversible(row.reverses_id, contributionId);
  return row.payment_id;
}

/** @throws ContributionNotReversibleError for a reversing entry. */
export function assertReversible(reversesId: number | null, contributionId: number): void {
  if (reversesId !== null) throw new ContributionNotReversibleError({ contributionId, reversesId });
}
