import type { EntityManager } from 'typeorm';
import { prepared, sqlRow } from '../../database/index.js';
import { REQUEST_VERSION, type SentRequest } from '../../idempotency/index.js';
import type { FoundGiver, Giver } from '../../people/index.js';
import type { ResolvedGiftDate } from '../../values/index.js';
import { type ReviewReason, reviewReasons } from '../reviews/index.js';

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
  /** Its digest is kept with a transaction id, to compare what comes under it later. */
  readonly sent: SentRequest;
}

/** What the service decides. */
interface Placement {
  readonly found: FoundGiver;
  readonly currency: string;
  readonly given: ResolvedGiftDate;
  /** In church time, YYYY-MM-DD: the day of its bundle. */
  readonly today: string;
  readonly userId: number;
  readonly bundleTypeId: number;
  readonly contributionTypeId: number;
  /** A recorded gift that this one may be; undefined: none is known. */
  readonly similarGift: number | undefined;
}

/** With its bundle, and with the review that it may need: nothing of a gift is left to write after it. */
const INSERT_GIFT = prepared(`
  WITH gift AS (
    INSERT INTO contribution (id, person_id, amount, currency, given_at, day, fund_id, bundle_id, contribution_type_id,
      source, notes, giver_first, giver_last, giver_email, giver_phone, giver_address, giver_zip, created_by,
      matched_by, matched_on, other_matches, has_key, transaction_id, request_digest, request_version, first_person_id)
    OVERRIDING SYSTEM VALUE
    SELECT next_id('contribution_id_seq'), $1::integer, $2, $3, $4, $5, COALESCE($6::integer, (SELECT id FROM fund WHERE is_default)),
      open_bundle($23, $16, $24), $7, $8, $9, $10, $11, $12, $13, $14, $15, $16,
      $17, $18, $19, $20, $21::text, $22::bytea, ${REQUEST_VERSION}, CASE WHEN $21 IS NOT NULL THEN $1 END
    RETURNING id, person_id, created_at, fund_id, equal_gifts(contribution)
  ), judged AS (
    SELECT gift.id, gift.created_at, gift.fund_id, fund.name AS fund_name,
      equal_gifts || array_remove(ARRAY[$27::integer], NULL) AS other_gifts, ${reviewReasons('$25')} AS reasons
    FROM gift LEFT JOIN fund ON fund.id = gift.fund_id
  ), listed AS (
    INSERT INTO review (id, contribution_id, reasons, other_persons, other_gifts) OVERRIDING SYSTEM VALUE
    SELECT next_id('review_id_seq'), id, reasons, $26, other_gifts FROM judged WHERE cardinality(reasons) > 0
  )
  SELECT id, created_at, fund_id, fund_name, reasons FROM judged`);

/** What the database has made of a gift. */
export interface InsertedGift {
  readonly id: number;
  readonly created_at: Date;
  readonly fund_id: number;
  /** Null for a fund that was added after the statement had begun, and yet before it wrote. */
  readonly fund_name: string | null;
  /** Why it is listed for review; empty where it is not. */
  readonly reasons: readonly ReviewReason[];
}

/** Writes the gift's row into the open bundle it belongs to, and lists it for review where there is a reason. */
export async function insertGift(tx: EntityManager, gift: SentGift, placement: Placement): Promise<InsertedGift> {
  const inserted = await sqlRow<InsertedGift>(tx, INSERT_GIFT, valuesOf(gift, placement));
  if (inserted === undefined) throw new Error('A gift was written, and nothing came back of it');
  return inserted;
}

/** The parameters of {@link INSERT_GIFT}. */
function valuesOf(gift: SentGift, placement: Placement): unknown[] {
  const { giver } = gift;
  const { found, given } = placement;
  return [
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
    placement.userId,
    found.by,
    found.matchedOn,
    found.otherMatches,
    gift.key !== undefined || gift.transactionId !== null,
    gift.transactionId,
    gift.transactionId === null ? null : gift.sent.digest(),
    placement.bundleTypeId,
    placement.today,
    placement.similarGift === undefined ? found.doubts : [...found.doubts, 'similar_row'],
    found.similarPersons,
    placement.similarGift,
  ];
}
