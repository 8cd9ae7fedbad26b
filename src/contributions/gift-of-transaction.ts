import type { EntityManager } from 'typeorm';
import { prepared, sqlRow } from '../database/index.js';
import type { SentRequest, StoredRequest } from '../idempotency/index.js';
import type { AddedContribution } from './added-contribution.js';
import { alreadyReversed } from './already-reversed.js';
import { TransactionIdReusedError } from './errors.js';
import { REVERSED } from './reference-data.js';

/** How a sender names a gift of its own, and what it sent. */
interface SentTransaction {
  readonly userId: number;
  readonly source: string | null;
  readonly transactionId: string | null;
  readonly sent: SentRequest;
}

interface EarlierRow extends StoredRequest {
  id: number;
  first_person_id: number;
  matched_by: 'id' | 'match' | 'created';
  other_matches: readonly number[];
  status: number;
}

const SELECT_EARLIER = prepared(`
  SELECT id, first_person_id, matched_by, other_matches, status, request_digest, request_version FROM contribution
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
  return {
    contributionId: earlier.id,
    peopleId: earlier.first_person_id,
    newPerson: earlier.matched_by === 'created',
    multipleMatches: earlier.other_matches.length > 0,
    source,
  };
}
