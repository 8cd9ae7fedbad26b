import { Injectable } from '@nestjs/common';
import { prepared, Transactions } from '../../../database/index.js';
import { isOfPayment } from '../../ledger/index.js';
import type { RefundContent } from './refund-ids.js';

const SELECT_IDS = prepared(`
  SELECT DISTINCT entry.refund_id AS id
  FROM contribution gift JOIN contribution entry ON ${isOfPayment('entry', 'gift.id')}
  WHERE gift.created_by = $1 AND gift.source = $2 AND gift.transaction_id = $3 AND gift.payment_id = gift.id
    AND entry.reverses_id IS NOT NULL AND entry.refund_id IS NOT NULL AND entry.created_by = $1 AND entry.source = $2
  ORDER BY id`);

/** Finds the refunds of a gift that are recorded. */
@Injectable()
export class RecordedRefunds {
  constructor(private readonly transactions: Transactions) {}

  /** The ids of the refunds of a gift that the user has recorded with its source. */
  async idsOf(
    userId: number,
    { source, transactionId }: Pick<RefundContent, 'source' | 'transactionId'>,
  ): Promise<string[]> {
    const rows = await this.transactions.query<{ id: string }>(SELECT_IDS, [userId, source, transactionId]);
    return rows.map(({ id }) => id);
  }
}
