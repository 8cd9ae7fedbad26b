import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { isLockTimeout, prepared, sqlRow, sqlRows } from '../database/index.js';
import { IdempotencyKeyReusedError, RequestInProgressError } from './errors.js';
import { REQUEST_VERSION, type SentRequest, type StoredRequest } from './request-digest.js';

/** A call that may come again. Its key is the user's own, and another one for each operation. */
export interface KeyedCall {
  readonly userId: number;
  readonly operation: 'AddContribution' | 'ReverseContribution';
  /** Undefined: the caller sent none, and the call is done each time it comes. */
  readonly key: string | undefined;
  readonly sent: SentRequest;
}

/** What a call came to. */
export interface Outcome<T> {
  readonly answer: T;
  /** True when the answer is that of an earlier, equal call, and nothing was done now. */
  readonly replayed: boolean;
}

/** How long an answer is kept, in SQL. */
export const KEPT_FOR = `interval '30 days'`;

/**
 * A twin's uncommitted row is waited for here, in the database: it holds across replicas. The row of a key that is too
 * old becomes a new one's.
 */
const CLAIM_KEY = prepared(`
  INSERT INTO idempotency_key AS earlier (user_id, operation, key, request_digest, request_version)
    VALUES ($1, $2, $3, $4, ${REQUEST_VERSION})
  ON CONFLICT ON CONSTRAINT idempotency_key_pkey
    DO UPDATE SET request_digest = excluded.request_digest, request_version = excluded.request_version, answer = NULL,
      created_at = now()
    WHERE earlier.created_at < now() - ${KEPT_FOR}
  RETURNING 1`);

const KEEP_ANSWER = prepared(
  'UPDATE idempotency_key SET answer = $4 WHERE user_id = $1 AND operation = $2 AND key = $3',
);

const SELECT_ANSWER = prepared(
  `
  SELECT request_digest, request_version, answer FROM idempotency_key
  WHERE user_id = $1 AND operation = $2 AND key = $3`,
);

/** Keeps the first answer to a key, and gives it again (contract, "Exactly once"). */
@Injectable()
export class Idempotency {
  /**
   * Does `work` in `tx` and keeps its answer, which must survive JSON, or returns the answer that is kept. Key, work and
   * answer commit together: a call that is refused does not use up its key.
   * @throws IdempotencyKeyReusedError for another request under this key, RequestInProgressError when the first call
   * with it takes longer than a lock is waited for.
   */
  async once<T extends object>(
    tx: EntityManager,
    call: KeyedCall,
    work: () => Promise<Outcome<T>>,
  ): Promise<Outcome<T>> {
    if (call.key === undefined) return work();
    const key = [call.userId, call.operation, call.key];
    if (!(await claim(tx, [...key, call.sent.digest()]))) {
      return { answer: await keptAnswer<T>(tx, key, call.sent), replayed: true };
    }
    const outcome = await work();
    await sqlRows(tx, KEEP_ANSWER, [...key, JSON.stringify(outcome.answer)]);
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

/** The claim has locked the row, so it is still there. */
async function keptAnswer<T>(tx: EntityManager, key: readonly unknown[], sent: SentRequest): Promise<T> {
  const kept = await sqlRow<StoredRequest & { answer: T | null }>(tx, SELECT_ANSWER, key);
  if (kept === undefined || kept.answer === null) throw new Error('A committed idempotency key has no answer');
  if (!sent.isSameAs(kept)) throw new IdempotencyKeyReusedError();
  return kept.answer;
}
