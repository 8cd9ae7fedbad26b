import type { EntityManager } from 'typeorm';
import { prepared, sqlRow } from '../database/index.js';
import type { FoundGiver, Giver } from '../people/index.js';
import { type BundleKey, intoOpenBundle, openBundle } from './bundles/open-bundle.js';
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
  readonly bundle: BundleKey;
  readonly contributionTypeId: number;
  readonly source: string | null;
  readonly notes: string | null;
  readonly transactionId: string | null;
  /** Sent with Idempotency-Key or TransactionId. */
  readonly hasKey: boolean;
  /** Of `requestDigest`; kept with a transaction id, to compare what comes under it later. */
  readonly digest: Buffer;
}

const INSERT_GIFT = prepared(`
  WITH gift AS (
    INSERT INTO contribution (person_id, amount, currency, given_at, day, fund_id, bundle_id, contribution_type_id,
      source, notes, giver_first, giver_last, giver_email, giver_phone, giver_address, giver_zip, created_by,
      matched_by, matched_on, other_matches, has_key, transaction_id, request_digest, first_person_id)
    SELECT $1::integer, $2, $3, $4, $5, COALESCE($6::integer, (SELECT id FROM fund WHERE is_default)), bundle.id, $7,
      $8, $9, $10, $11, $12, $13, $14, $15, $16,
      $17, $18, $19, $20, $21::text, CASE WHEN $21 IS NOT NULL THEN $22::bytea END, CASE WHEN $21 IS NOT NULL THEN $1 END
    FROM ${openBundle('$23', '$16', '$24')} bundle
    RETURNING id, created_at, fund_id, possible_duplicate(contribution)
  )
  SELECT gift.id, gift.created_at, gift.possible_duplicate, fund.id AS fund_id, fund.name AS fund_name,
    NOT fund.is_open AS closed_fund
  FROM gift JOIN fund ON fund.id = gift.fund_id`);

/** What the database has made of a gift. */
export interface InsertedGift {
  readonly id: number;
  readonly created_at: Date;
  readonly fund_id: number;
  readonly fund_name: string;
  readonly closed_fund: boolean;
  readonly possible_duplicate: boolean;
}

/** Writes the gift's row into the open bundle it belongs to. */
export async function insertGift(tx: EntityManager, gift: Gift): Promise<InsertedGift> {
  const { giver, found, given, bundle } = gift;
  const values = [
    found.peopleId,
    gift.amount,
    gift.currency,
    given.instant,
    given.day,
    gift.fundId,
    gift.contributionTypeId,
    gift.source,
    gift.notes,
    giver.first,
    giver.last,
    giver.email,
    giver.phone,
    giver.address,
    giver.zip,
    bundle.userId,
    found.by,
    found.matchedOn,
    found.otherMatches,
    gift.hasKey,
    gift.transactionId,
    gift.digest,
    bundle.bundleTypeId,
    bundle.day,
  ];
  return intoOpenBundle(tx, bundle, () => sqlRow<InsertedGift>(tx, INSERT_GIFT, values));
}
