import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { prepared } from '../database/index.js';
import { answerOnce, type Outcome } from './answer-once.js';
import { IdempotencyKeyReusedError } from './errors.js';
import { REQUEST_VERSION, type SentRequest } from './request-digest.js';

/** The operations that honour a key, by their names in the API document. */
export type KeyedOperation =
  | 'AddContribution'
  | 'ReverseContribution'
  | 'ReverseTransaction'
  | 'ReverseAsFinance'
  | 'ReinstateContribution'
  | 'MoveContribution'
  | 'CreatePerson'
  | 'AdjustDeposit';

/** A call that may be repeated. Keys of different users, and of different operations, are independent. */
export interface KeyedCall {
  readonly userId: number;
  readonly operation: KeyedOperation;
  /** Undefined: the caller sent no key, and every call is executed. */
  readonly key: string | undefined;
  readonly sent: SentRequest;
}

/** How long an answer is kept, as an SQL interval. */
export const RETENTION = `interval '30 days'`;

/**
 * The database makes a concurrent call with the same key wait here, on any replica. The row of an expired key is
 * reused.
 */
const CLAIM_KEY = prepared(`
  INSERT INTO idempotency_key AS earlier (user_id, operation, key, request_digest, request_version)
    VALUES ($1, $2, $3, $4, ${REQUEST_VERSION})
  ON CONFLICT ON CONSTRAINT idempotency_key_pkey
    DO UPDATE SET request_digest = excluded.request_digest, request_version = excluded.request_version, answer = NULL,
      created_at = now()
    WHERE earlier.created_at < now() - ${RETENTION}
  RETURNING 1`);

const STORE_ANSWER = prepared(
  'UPDATE idempotency_key SET answer = $4 WHERE user_id = $1 AND operation = $2 AND key = $3',
);

const SELECT_ANSWER = prepared(
  `
  SELECT request_digest, request_version, answer FROM idempotency_key
  WHERE user_id = $1 AND operation = $2 AND key = $3`,
);

const STATEMENTS = { claim: CLAIM_KEY, read: SELECT_ANSWER, store: STORE_ANSWER };

/** Stores the first answer to a key, and returns it for repeated calls (contract, "Exactly once"). */
@Injectable()
export class Idempotency {
  /**
   * Runs `work` in `tx` and stores its answer, which must survive JSON, or returns the stored answer. Key, work and
   * answer are committed together, so a refused call does not use up its key.
   * @throws IdempotencyKeyReusedError for another request with this key, RequestInProgressError when the first call
   * with it takes longer than the time limit of locks.
   */
  async once<T extends object>(
    tx: EntityManager,
    { userId, operation, key, sent }: KeyedCall,
    work: () => Promise<Outcome<T>>,
  ): Promise<Outcome<T>> {
    if (key === undefined) return work();
    const call = {
      id: [userId, operation, key],
      idName: 'Idempotency-Key',
      sent,
      reused: (first: object) => new IdempotencyKeyReusedError(first),
    };
    return answerOnce(tx, STATEMENTS, call, work);
  }
}
