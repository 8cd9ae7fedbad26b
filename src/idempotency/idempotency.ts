import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { isLockTimeout, prepared, sqlRow, sqlRows } from '../database/index.js';
import { IdempotencyKeyReusedError, RequestInProgressError } from './errors.js';
import { REQUEST_VERSION, type SentRequest, type StoredRequest } from './request-digest.js';

/** A call that may be repeated. Keys of different users, and of different operations, are independent. */
export interface KeyedCall {
  readonly userId: number;
  readonly operation: 'AddContribution' | 'ReverseContribution';
  /** Undefined: the caller sent no key, and every call is executed. */
  readonly key: string | undefined;
  readonly sent: SentRequest;
}

/** The outcome of a call. */
export interface Outcome<T> {
  readonly answer: T;
  /** True when the answer is that of an earlier, equal call, and this call changed nothing. */
  readonly replayed: boolean;
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
    call: KeyedCall,
    work: () => Promise<Outcome<T>>,
  ): Promise<Outcome<T>> {
    if (call.key === undefined) return work();
    const key = [call.userId, call.operation, call.key];
    if (!(await claim(tx, [...key, call.sent.digest()]))) {
      return { answer: await storedAnswer<T>(tx, key, call.sent), replayed: true };
    }
    const outcome = await work();
    await sqlRows(tx, STORE_ANSWER, [...key, JSON.stringify(outcome.answer)]);
    return outcome;
  }
}

async function claim(tx: EntityManager, values: readonly unknown[]): Promise<boolean> {
  try {
    return (await sqlRow(tx, CLAIM_KEY, values)) !== undefined;
  } catch (error) {
    throw isLockTimeout(error) ? new RequestInProgressError() : error;
  }
}

/** The stored answer. {@link claim} has locked its row, so the row still exists. */
async function storedAnswer<T>(tx: EntityManager, key: readonly unknown[], sent: SentRequest): Promise<T> {
  const stored = await sqlRow<StoredRequest & { answer: T | null }>(tx, SELECT_ANSWER, key);
  if (stored === undefined || stored.answer === null) throw new Error('A committed idempotency key has no answer');
  if (!sent.isSameAs(stored)) throw new IdempotencyKeyReusedError();
  return stored.answer;
}
