import type { EntityManager } from 'typeorm';
import { prepared, sqlRow } from '../database/index.js';
import type { FoundGiver, Giver } from '../people/index.js';
import { type BundleKey, intoOpenBundle, openBundle } from './bundles/open-bundle.js';
import type { ResolvedGiftDate } from './gift-date.js';

/** Of a gift what its sender decides. */
interface SentGift {
  readonly giver: Giver;
  readonly amount: string;
  /** Undefined: the default fund. */
  readonly fundId: number | undefined;
  readonly source: string | null;
  readonly notes: string | null;
  readonly transactionId: string | null;
  /** The caller's Idempotency-Key, if it sent one. */
  readonly key: string | undefined;
  /** Of `requestDigest`; kept with a transaction id, to compare what comes under it later. */
  readonly digest: Buffer;
}

/** What the service decides. */
interface Placement {
  readonly found: FoundGiver;
  readonly currency: string;
  readonly given: ResolvedGiftDate;
  readonly bundle: BundleKey;
  readonly contributionTypeId: number;
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
export async function insertGift(tx: EntityManager, gift: SentGift, placement: Placement): Promise<InsertedGift> {
  const { giver } = gift;
  const { found, given, bundle } = placement;
  const values = [
    found.peopleId,
    gift.amount,
    placement.currency,
    given.instant,
    given.day,
    gift.fundId,
    placement.contributionTypeId,
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
    gift.key !== undefined || gift.transactionId !== null,
    gift.transactionId,
    gift.digest,
    bundle.bundleTypeId,
    bundle.day,
  ];
  return intoOpenBundle(tx, bundle, () => sqlRow<InsertedGift>(tx, INSERT_GIFT, values));
}
