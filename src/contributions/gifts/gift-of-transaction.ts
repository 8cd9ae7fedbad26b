import type { EntityManager } from 'typeorm';
import { prepared, sqlRow } from '../../database/index.js';
import type { SentRequest, StoredRequest } from '../../idempotency/index.js';
import type { AddedContribution } from './added-contribution.js';
import { alreadyReversed } from './already-reversed.js';
import { TransactionIdReusedError } from './errors.js';
import { REVERSED } from '../ledger/index.js';

/** How a sender names a gift of its own, and what it sent. */
interface SentTransaction {
  readonly userId: number;
  readonly source: string | null;
  readonly transactionId: string | null;
  readonly sent: SentRequest;
}

interface AnsweredRow {
  id: number;
  first_person_id: number;
  matched_by: 'id' | 'match' | 'created';
  other_matches: readonly number[];
  status: number;
}

type EarlierRow = AnsweredRow & StoredRequest;

const ANSWERED = 'id, first_person_id, matched_by, other_matches, status';

const SELECT_EARLIER = prepared(`
  SELECT ${ANSWERED}, request_digest, request_version FROM contribution
  WHERE created_by = $1 AND source = $2 AND transaction_id = $3`);

/**
 * The answer that was given when this user sent a gift with this Source and TransactionId before, or undefined. Of two
 * that come together, the unique index lets one in; the other has to look again.
 * @throws TransactionIdReusedError when that was another gift, ContributionAlreadyReversedError.
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
  if (earlier.status === REVERSED) throw await alreadyReversed(tx, earlier.id, timeZone);
  return firstAnswer(earlier, source);
}

const SELECT_RECORDED = prepared(
  `SELECT ${ANSWERED}, source, transaction_id FROM contribution WHERE id = $1 AND transaction_id IS NOT NULL`,
);

/** A gift that was sent with an id, as it stands now. */
export interface RecordedTransaction extends AddedContribution {
  readonly transactionId: string;
  readonly isReversed: boolean;
}

/** The gift with this id, which was sent with a TransactionId, and so is never gone. */
export async function recordedTransaction(tx: EntityManager, contributionId: number): Promise<RecordedTransaction> {
  type Row = AnsweredRow & { source: string | null; transaction_id: string };
  const row = await sqlRow<Row>(tx, SELECT_RECORDED, [contributionId]);
  if (row === undefined) throw new Error(`Contribution ${contributionId} was found before and is gone`);
  return { ...firstAnswer(row, row.source), transactionId: row.transaction_id, isReversed: row.status === REVERSED };
}

/** What the sender was answered. */
function firstAnswer(row: AnsweredRow, source: string | null): AddedContribution {
  return {
    contributionId: row.id,
    peopleId: row.first_person_id,
    newPerson: row.matched_by === 'created',
    multipleMatches: row.other_matches.length > 0,
    source,
  };
}
