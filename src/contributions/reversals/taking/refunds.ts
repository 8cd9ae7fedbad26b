import type { EntityManager } from 'typeorm';
import { prepared } from '../../../database/index.js';
import { answerOnce, type Outcome, REQUEST_VERSION, SentRequest } from '../../../idempotency/index.js';
import { RefundIdReusedError } from '../errors.js';

/** A sender's own id of a refund, and what was to be taken back. */
export interface SentRefund {
  readonly userId: number;
  readonly source: string;
  readonly refundId: string;
  /** The same for every id that leads to the payment. */
  readonly content: object;
}

const STATEMENTS = {
  claim: prepared(`
    INSERT INTO refund (user_id, source, refund_id, request_digest, request_version)
    VALUES ($1, $2, $3, $4, ${REQUEST_VERSION})
    ON CONFLICT ON CONSTRAINT refund_pkey DO NOTHING
    RETURNING 1`),
  read: prepared(`
    SELECT request_digest, request_version, answer FROM refund WHERE user_id = $1 AND source = $2 AND refund_id = $3`),
  store: prepared('UPDATE refund SET answer = $4 WHERE user_id = $1 AND source = $2 AND refund_id = $3'),
};

/**
 * Runs `work` for a new refund id and stores its answer, or returns the stored one. Refund ids are kept for ever.
 * @throws RefundIdReusedError if it was sent with other content, RequestInProgressError when the first call with it takes
 * longer than the time limit of locks.
 */
export async function refundOnce<T extends object>(
  tx: EntityManager,
  { userId, source, refundId, content }: SentRefund,
  work: () => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  const call = {
    id: [userId, source, refundId],
    idName: 'refundId',
    sent: new SentRequest(content),
    reused: () => new RefundIdReusedError(refundId),
  };
  return answerOnce(tx, STATEMENTS, call, work);
}
