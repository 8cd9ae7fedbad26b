import type { EntityManager } from 'typeorm';
import { isLockTimeout, type PreparedStatement, sqlRow, sqlRows } from '../database/index.js';
import { RequestInProgressError } from './errors.js';
import type { SentRequest, StoredRequest } from './request-digest.js';

/** The outcome of a call. */
export interface Outcome<T> {
  readonly answer: T;
  /** True when the answer is that of an earlier, equal call, and this call changed nothing. */
  readonly replayed: boolean;
}

/** The statements of a table of first answers. Their first parameters are the id of the call. */
interface AnswerStatements {
  /** With the request's digest. Inserts the row, and returns one if it is new. Waits for a concurrent call with the id. */
  readonly claim: PreparedStatement;
  readonly read: PreparedStatement;
  /** With the answer. */
  readonly store: PreparedStatement;
}

/** A call that has an id of its sender. */
interface IdentifiedCall {
  readonly id: readonly unknown[];
  /** What the sender calls the id, for messages. */
  readonly idName: string;
  readonly sent: SentRequest;
  /** The error for an id that was sent with another request. @param first the answer to that one. */
  readonly reused: (first: object) => Error;
}

/**
 * Runs `work` in `tx` and stores its answer, which must survive JSON, or returns the stored answer. Id, work and answer
 * are committed together, so a refused call does not use up its id.
 * @throws RequestInProgressError when the first call with the id takes longer than the time limit of locks.
 */
export async function answerOnce<T extends object>(
  tx: EntityManager,
  { claim, read, store }: AnswerStatements,
  { id, idName, sent, reused }: IdentifiedCall,
  work: () => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  const isNew = await sqlRow(tx, claim, [...id, sent.digest()]).catch((error: unknown) => {
    throw isLockTimeout(error) ? new RequestInProgressError(idName) : error;
  });
  if (isNew !== undefined) {
    const outcome = await work();
    await sqlRows(tx, store, [...id, JSON.stringify(outcome.answer)]);
    return outcome;
  }
  // The claim has waited for its row, so the row exists.
  const stored = await sqlRow<StoredRequest & { answer: T | null }>(tx, read, id);
  if (stored === undefined || stored.answer === null) throw new Error(`A committed ${idName} has no answer`);
  if (!sent.isSameAs(stored)) throw reused(stored.answer);
  return { answer: stored.answer, replayed: true };
}
