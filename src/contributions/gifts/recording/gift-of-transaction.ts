import type { EntityManager } from 'typeorm';
import { arrayParameter, prepared, sqlRow, sqlRows } from '../../../database/index.js';
import type { SentRequest, StoredRequest } from '../../../idempotency/index.js';
import type { AddedContribution } from './added-contribution.js';
import { alreadyReversed } from '../already-reversed.js';
import { TransactionIdReusedError } from '../errors.js';
import { isWhollyReversed } from '../../ledger/index.js';

/** A sender's own id of a gift, and the request that it sent. */
interface SentTransaction {
  readonly userId: number;
  readonly source: string | null;
  readonly transactionId: string | null;
  readonly sent: SentRequest;
}

interface AnswerRow {
  id: number;
  first_person_id: number;
  matched_by: 'id' | 'match' | 'created';
  other_matches: readonly number[];
  /** Whether nothing is left of the payment. */
  is_reversed: boolean;
}

/** A recorded gift, with its answer and the request that was sent. */
export type EarlierRow = AnswerRow & StoredRequest;

/** For the first part `c` of a payment. */
const ANSWER_COLUMNS = `c.id, c.first_person_id, c.matched_by, c.other_matches,
  ${isWhollyReversed('c')} AS is_reversed`;

const EARLIER_COLUMNS = `${ANSWER_COLUMNS}, c.request_digest, c.request_version`;

const SELECT_EARLIER = prepared(`
  SELECT ${EARLIER_COLUMNS} FROM contribution c
  WHERE c.created_by = $1 AND c.source = $2 AND c.transaction_id = $3 AND c.payment_id = c.id`);

/**
 * The first answer to a gift that this user already sent with this Source and TransactionId, or undefined. The unique
 * index accepts only one of two concurrent gifts; the other has to search again.
 * @throws TransactionIdReusedError if that gift had other fields.
 * @throws ContributionAlreadyReversedError
 */
export async function giftOfTransaction(
  tx: EntityManager,
  gift: SentTransaction,
  timeZone: string,
): Promise<AddedContribution | undefined> {
  const { userId, source, transactionId } = gift;
  if (transactionId === null) return undefined;
  const earlier = await sqlRow<EarlierRow>(tx, SELECT_EARLIER, [userId, source, transactionId]);
  return earlier === undefined ? undefined : firstAnswerTo(tx, gift, earlier, timeZone);
}

/**
 * The same for many gifts. `place` is that of the gift. OFFSET 0 makes it one look-up for each gift: before the table has
 * statistics, the planner would read all gifts of the user.
 */
const SELECT_EARLIER_OF_MANY = prepared(`
  SELECT sent.place::integer - 1 AS place, earlier.*
  FROM unnest(${arrayParameter('$2', 'text')}, ${arrayParameter('$3', 'text')}) WITH ORDINALITY AS sent(source, transaction_id, place), LATERAL (
    SELECT ${EARLIER_COLUMNS} FROM contribution c
    WHERE c.created_by = $1 AND c.source = sent.source AND c.transaction_id = sent.transaction_id AND c.payment_id = c.id
    OFFSET 0) earlier`);

/** Those of a user's gifts whose transactions are recorded already, each with what {@link firstAnswerTo} needs. */
export async function giftsOfTransactions<T extends SentTransaction>(
  tx: EntityManager,
  userId: number,
  sent: readonly T[],
): Promise<ReadonlyMap<T, EarlierRow>> {
  const values = [userId, sent.map(({ source }) => source), sent.map(({ transactionId }) => transactionId)];
  const rows = await sqlRows<EarlierRow & { place: number }>(tx, SELECT_EARLIER_OF_MANY, values);
  return new Map(
    rows.flatMap(({ place, ...row }) => {
      const gift = sent[place];
      return gift === undefined ? [] : [[gift, row] as const];
    }),
  );
}

/** The first answer to a gift whose transaction is recorded. @throws the errors of {@link giftOfTransaction} */
export async function firstAnswerTo(
  tx: EntityManager,
  { source, transactionId, sent }: SentTransaction,
  earlier: EarlierRow,
  timeZone: string,
): Promise<AddedContribution> {
  if (!sent.isSameAs(earlier)) throw new TransactionIdReusedError(transactionId ?? '');
  if (earlier.is_reversed) throw await alreadyReversed(tx, earlier.id, timeZone);
  return firstAnswer(earlier, source);
}

const SELECT_RECORDED = prepared(
  `SELECT ${ANSWER_COLUMNS}, c.source, c.transaction_id FROM contribution c
   WHERE c.id = ANY ($1::integer[]) AND c.transaction_id IS NOT NULL`,
);

/** The current state of a gift that was sent with a TransactionId. */
export interface RecordedTransaction extends AddedContribution {
  readonly transactionId: string;
  readonly isReversed: boolean;
}

/** The gifts with these ids, by id. Each must exist and have a TransactionId. */
export async function recordedTransactions(
  tx: EntityManager,
  contributionIds: readonly number[],
): Promise<ReadonlyMap<number, RecordedTransaction>> {
  type Row = AnswerRow & { source: string | null; transaction_id: string };
  const rows = await sqlRows<Row>(tx, SELECT_RECORDED, [contributionIds]);
  const recorded = new Map(
    rows.map((row) => [
      row.id,
      { ...firstAnswer(row, row.source), transactionId: row.transaction_id, isReversed: row.is_reversed },
    ]),
  );
  const missing = contributionIds.find((id) => !recorded.has(id));
  if (missing !== undefined) throw new Error(`Contribution ${missing} no longer exists`);
  return recorded;
}

/** The answer that the sender got. */
function firstAnswer(row: AnswerRow, source: string | null): AddedContribution {
  return {
    contributionId: row.id,
    peopleId: row.first_person_id,
    newPerson: row.matched_by === 'created',
    multipleMatches: row.other_matches.length > 0,
    source,
  };
}
