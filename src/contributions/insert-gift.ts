import type { EntityManager } from 'typeorm';
import { sqlRow } from '../database/index.js';
import type { FoundGiver, Giver } from '../people/index.js';
import type { ResolvedGiftDate } from './gift-date.js';

/** A gift as it is stored. */
interface Gift {
  readonly giver: Giver;
  readonly found: FoundGiver;
  readonly amount: string;
  readonly currency: string;
  readonly given: ResolvedGiftDate;
  /** Undefined: the default fund. */
  readonly fundId: number | undefined;
  readonly bundleId: number;
  readonly contributionTypeId: number;
  readonly source: string | null;
  readonly notes: string | null;
  readonly transactionId: string | null;
  /** Sent with Idempotency-Key or TransactionId. */
  readonly hasKey: boolean;
  /** Of `requestDigest`; kept with a transaction id, to compare what comes under it later. */
  readonly digest: Buffer;
  readonly userId: number;
}

const INSERT_GIFT = `
  INSERT INTO contribution (person_id, amount, currency, given_at, day, fund_id, bundle_id, contribution_type_id,
    source, notes, giver_first, giver_last, giver_email, giver_phone, giver_address, giver_zip, created_by,
    matched_by, matched_on, other_matches, has_key, transaction_id, request_digest, first_person_id)
  VALUES ($1, $2, $3, $4, $5, COALESCE($6::integer, (SELECT id FROM fund WHERE is_default)), $7, $8,
    $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22,
    CASE WHEN $22::text IS NOT NULL THEN $23::bytea END, CASE WHEN $22::text IS NOT NULL THEN $1::integer END)
  RETURNING id, created_at, fund_id, (SELECT name FROM fund WHERE fund.id = fund_id) AS fund_name`;

/** What the database has made of a gift. */
interface InsertedGift {
  readonly id: number;
  readonly created_at: Date;
  readonly fund_id: number;
  readonly fund_name: string;
}

/** Writes the gift's row. */
export async function insertGift(tx: EntityManager, gift: Gift): Promise<InsertedGift> {
  const { giver, found, given } = gift;
  const row = await sqlRow<InsertedGift>(tx, INSERT_GIFT, [
    found.peopleId,
    gift.amount,
    gift.currency,
    given.instant,
    given.day,
    gift.fundId,
    gift.bundleId,
    gift.contributionTypeId,
    gift.source,
    gift.notes,
    giver.first,
    giver.last,
    giver.email,
    giver.phone,
    giver.address,
    giver.zip,
    gift.userId,
    found.by,
    found.matchedOn,
    found.otherMatches,
    gift.hasKey,
    gift.transactionId,
    gift.digest,
  ]);
  if (row === undefined) throw new Error('INSERT … RETURNING returned no row');
  return row;
}
