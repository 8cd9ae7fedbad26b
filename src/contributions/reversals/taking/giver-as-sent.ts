import { prepared, type Transactions } from '../../../database/index.js';
import type { PaymentName } from './named-payment.js';

/** The names that were sent with a gift. */
export interface NamesAsSent {
  readonly first: string;
  readonly last: string;
}

const SELECT_BY_ID = prepared(`
  SELECT giver_first AS first, giver_last AS last FROM contribution WHERE id = $1 AND giver_first IS NOT NULL`);

const SELECT_BY_TRANSACTION = prepared(`
  SELECT giver_first AS first, giver_last AS last FROM contribution
  WHERE created_by = $1 AND source = $2 AND transaction_id = $3 AND payment_id = id`);

/** The names that were sent with the gift that a reversal names. Undefined if there is no such gift. */
export async function giverAsSent(
  transactions: Transactions,
  payment: PaymentName,
  userId: number,
): Promise<NamesAsSent | undefined> {
  const [names] =
    'contributionId' in payment
      ? await transactions.query<NamesAsSent>(SELECT_BY_ID, [payment.contributionId])
      : await transactions.query<NamesAsSent>(SELECT_BY_TRANSACTION, [userId, payment.source, payment.transactionId]);
  return names;
}
