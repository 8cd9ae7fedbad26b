import type { EntityManager } from 'typeorm';
import { prepared, sqlRow, sqlRows } from '../../../database/index.js';
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

type EarlierRow = AnswerRow & StoredRequest;

/** For the first part `c` of a payment. */
const ANSWER_COLUMNS = `c.id, c.first_person_id, c.matched_by, c.other_matches,
  ${isWhollyReversed('c')} AS is_reversed`;

const SELECT_EARLIER = prepared(`
  SELECT ${ANSWER_COLUMNS}, c.request_digest, c.request_version FROM contribution c
  WHERE c.created_by = $1 AND c.source = $2 AND c.transaction_id = $3 AND c.payment_id = c.id`);

/**
 * The first answer to a gift that this user already sent with this Source and TransactionId, or undefined. The unique
 * index accepts only one of two concurrent gifts; the other has to search again.
 * @throws TransactionIdReusedError if that gift had other fields.
 * @throws ContributionAlreadyReversedError
 */
export async function giftOfTransaction(
  tx: EntityManager,
  { userId, source, transactionId, sent }: SentTransaction,
  timeZone: string,
): Promise<AddedContribution | undefined> {
  if (transactionId === null) return undefined;
  const earlier = await sqlRow<EarlierRow>(tx, SELECT_EARLIER, [userId, source, transactionId]);
  if (earlier === undefined) return undefined;
  if (!sent.isSameAs(earlier)) throw new TransactionIdReusedError(transactionId);
  if (earlier.is_reversed) throw await alreadyReversed(tx, earlier.id, timeZone);
  return firstAnswer(earlier, source);
}

const SELECT_KNOWN_IDS = prepared(`
  SELECT c.source, c.transaction_id AS "transactionId" FROM unnest($2::text[], $3::text[]) AS sent(source, transaction_id)
    JOIN contribution c ON c.created_by = $1 AND c.source = sent.source AND c.transaction_id = sent.transaction_id
      AND c.payment_id = c.id`);

/** Those of a user's transactions that are recorded already. */
export async function recordedTransactions<T extends Pick<SentTransaction, 'source' | 'transactionId'>>(
  tx: EntityManager,
  userId: number,
  sent: readonly T[],
): Promise<readonly T[]> {
  const keyOf = ({ source, transactionId }: Pick<T, 'source' | 'transactionId'>): string =>
    JSON.stringify([source, transactionId]);
  const values = [userId, sent.map(({ source }) => source), sent.map(({ transactionId }) => transactionId)];
  const rows = await sqlRows<Pick<T, 'source' | 'transactionId'>>(tx, SELECT_KNOWN_IDS, values);
  const known = new Set(rows.map(keyOf));
  return sent.filter((one) => known.has(keyOf(one)));
}

const SELECT_RECORDED = prepared(
  `SELECT ${ANSWER_COLUMNS}, c.source, c.transaction_id FROM contribution c WHERE c.id = $1 AND c.transaction_id IS NOT NULL`,
);

/** The current state of a gift that was sent with a TransactionId. */
export interface RecordedTransaction extends AddedContribution {
  readonly transactionId: string;
  readonly isReversed: boolean;
}

/** The gift with this id, which must exist and have a TransactionId. */
export async function recordedTransaction(tx: EntityManager, contributionId: number): Promise<RecordedTransaction> {
  type Row = AnswerRow & { source: string | null; transaction_id: string };
  const row = await sqlRow<Row>(tx, SELECT_RECORDED, [contributionId]);
  if (row === undefined) throw new Error(`Contribution ${contributionId} no longer exists`);
  return { ...firstAnswer(row, row.source), transactionId: row.transaction_id, isReversed: row.is_reversed };
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
