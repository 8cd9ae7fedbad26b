import type { EntityManager } from 'typeorm';
import { preparedWithNames, sqlRow } from '../../../database/index.js';
import { REQUEST_VERSION, type SentRequest } from '../../../idempotency/index.js';
import type { FoundGiver, Giver } from '../../../people/index.js';
import type { ResolvedGiftDate } from '../../../values/index.js';
import type { GiftPart, PaymentDetails } from './gift-part.js';
import { type ReviewReason, reviewReasons } from '../../reviews/index.js';

/** What the sender of a payment decides about all its parts. */
interface SentGift {
  readonly giver: Giver;
  /** Of the whole payment. */
  readonly amount: string;
  readonly payment: PaymentDetails;
  readonly source: string | null;
  readonly transactionId: string | null;
  /** The caller's Idempotency-Key, if it sent one. */
  readonly key: string | undefined;
  /** Its digest is stored with a transaction id, to compare later requests with the same id. */
  readonly sent: SentRequest;
}

/** What the service decides about a part. */
interface Placement {
  /** The id of the first part; undefined for the first part itself. */
  readonly paymentId: number | undefined;
  readonly found: FoundGiver;
  readonly currency: string;
  readonly given: ResolvedGiftDate;
  /** In church time, YYYY-MM-DD: the day of its bundle. */
  readonly today: string;
  readonly userId: number;
  readonly bundleTypeId: number;
  readonly contributionTypeId: number;
  /** Whether a gift of an earlier year needs no review. */
  readonly acceptEarlierYear: boolean;
  /** A recorded gift that may be the same as this one; undefined if none is known. */
  readonly similarGift: number | undefined;
}

interface GiftParameters
  extends
    Giver,
    PaymentDetails,
    Pick<GiftPart, 'amount' | 'fundId' | 'notes'>,
    Pick<SentGift, 'source' | 'transactionId'>,
    Omit<Placement, 'found' | 'given' | 'acceptEarlierYear'> {
  readonly paidAmount: string;
  readonly personId: number;
  readonly givenAt: ResolvedGiftDate['instant'];
  readonly day: string;
  readonly matchedBy: FoundGiver['by'];
  readonly matchedOn: FoundGiver['matchedOn'];
  readonly otherMatches: FoundGiver['otherMatches'];
  readonly hasKey: boolean;
  readonly requestDigest: Buffer | null;
  readonly doubts: readonly ReviewReason[];
  readonly otherPersons: FoundGiver['similarPersons'];
}

/** Writes a part, its payment if it is the first part, its bundle and, if needed, its review in one statement. */
const INSERT_GIFT = preparedWithNames<GiftParameters>(`
  WITH gift AS (
    INSERT INTO contribution (id, payment_id, person_id, amount, currency, given_at, day, fund_id, bundle_id, contribution_type_id,
      source, notes, giver_first, giver_last, giver_email, giver_phone, giver_address, giver_zip, created_by,
      matched_by, matched_on, other_matches, has_key, transaction_id, request_digest, request_version, first_person_id)
    OVERRIDING SYSTEM VALUE
    SELECT new.id, COALESCE(:paymentId, new.id), :personId::integer, :amount, :currency, :givenAt, :day, COALESCE(:fundId::integer, (SELECT id FROM fund WHERE is_default)),
      open_bundle(:bundleTypeId, :userId, :today), :contributionTypeId, :source, :notes, :first, :last, :email, :phone, :address, :zip, :userId,
      :matchedBy, :matchedOn, :otherMatches, :hasKey, :transactionId::text, :requestDigest::bytea, ${REQUEST_VERSION}, CASE WHEN :transactionId IS NOT NULL THEN :personId END
    FROM (SELECT next_id('contribution_id_seq') AS id) new
    RETURNING id, person_id, created_at, fund_id, equal_gifts(contribution)
  ), paid AS (
    INSERT INTO payment (id, amount, fee, method, check_number, payout_id)
    SELECT id, :paidAmount, :fee, :method, :checkNumber, :payoutId FROM gift WHERE :paymentId::integer IS NULL
  ), judged AS (
    SELECT gift.id, gift.created_at, gift.fund_id, fund.name AS fund_name,
      equal_gifts || array_remove(ARRAY[:similarGift::integer], NULL) AS other_gifts, ${reviewReasons(':doubts')} AS reasons
    FROM gift LEFT JOIN fund ON fund.id = gift.fund_id
  ), listed AS (
    INSERT INTO review (id, contribution_id, reasons, other_persons, other_gifts) OVERRIDING SYSTEM VALUE
    SELECT next_id('review_id_seq'), id, reasons, :otherPersons, other_gifts FROM judged WHERE cardinality(reasons) > 0
  )
  SELECT id, created_at, fund_id, fund_name, reasons FROM judged`);

/** The inserted row of a part. */
export interface InsertedGift {
  readonly id: number;
  readonly created_at: Date;
  readonly fund_id: number;
  /** Null for a fund that was added after the statement began. */
  readonly fund_name: string | null;
  /** Why the gift is listed for review; empty if it is not. */
  readonly reasons: readonly ReviewReason[];
}

/** Writes a part of a payment into its open bundle, and lists it for review if there is a reason. */
export async function insertGift(
  tx: EntityManager,
  gift: SentGift,
  part: GiftPart,
  placement: Placement,
): Promise<InsertedGift> {
  const values = INSERT_GIFT.values(parametersOf(gift, part, placement));
  const inserted = await sqlRow<InsertedGift>(tx, INSERT_GIFT, values);
  if (inserted === undefined) throw new Error('INSERT … RETURNING returned no row');
  return inserted;
}

function parametersOf(gift: SentGift, part: GiftPart, placement: Placement): GiftParameters {
  const { found, given, similarGift, paymentId } = placement;
  return {
    ...gift.giver,
    ...gift.payment,
    paymentId,
    paidAmount: gift.amount,
    personId: found.peopleId,
    amount: part.amount,
    currency: placement.currency,
    givenAt: given.instant,
    day: given.day,
    fundId: part.fundId,
    contributionTypeId: placement.contributionTypeId,
    source: gift.source,
    notes: part.notes,
    userId: placement.userId,
    matchedBy: found.by,
    matchedOn: found.matchedOn,
    otherMatches: found.otherMatches,
    hasKey: gift.key !== undefined || gift.transactionId !== null,
    transactionId: gift.transactionId,
    requestDigest: gift.transactionId === null ? null : gift.sent.digest(),
    bundleTypeId: placement.bundleTypeId,
    today: placement.today,
    // Doubts about the giver are listed once for the payment.
    doubts: paymentId === undefined ? doubtsAbout(placement) : [],
    otherPersons: found.similarPersons,
    similarGift: paymentId === undefined ? similarGift : undefined,
  };
}

function doubtsAbout({ found, similarGift, given, today, acceptEarlierYear }: Placement): ReviewReason[] {
  return [
    ...found.doubts,
    ...(similarGift === undefined ? [] : (['similar_row'] as const)),
    // The statement of that year may have been sent.
    ...(!acceptEarlierYear && given.day.slice(0, 4) < today.slice(0, 4) ? (['earlier_year'] as const) : []),
  ];
}
