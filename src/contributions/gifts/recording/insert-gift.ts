import type { EntityManager } from 'typeorm';
import { isWanted, prepared, preparedWithNames, sqlRow, sqlRows } from '../../../database/index.js';
import { REQUEST_VERSION, type SentRequest } from '../../../idempotency/index.js';
import type { FoundGiver, Giver } from '../../../people/index.js';
import type { ResolvedGiftDate } from '../../../values/index.js';
import { ContributionRecorded } from '../../events/index.js';
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

/** The SQL types of the parameters. */
const TYPES: Record<keyof GiftParameters, string> = {
  ...{ first: 'text', last: 'text', email: 'text', phone: 'text', address: 'text', zip: 'text' },
  ...{ method: 'text', checkNumber: 'text', fee: 'numeric', payoutId: 'text', paidAmount: 'numeric' },
  ...{ paymentId: 'integer', personId: 'integer', amount: 'numeric', currency: 'text', givenAt: 'timestamptz' },
  ...{ day: 'date', today: 'date', fundId: 'integer', notes: 'text', source: 'text', transactionId: 'text' },
  ...{ userId: 'integer', bundleTypeId: 'integer', contributionTypeId: 'integer', matchedBy: 'text' },
  ...{ matchedOn: 'text[]', otherMatches: 'integer[]', hasKey: 'boolean', requestDigest: 'bytea' },
  ...{ doubts: 'text[]', otherPersons: 'integer[]', similarGift: 'integer' },
};

/** SQL that differs between one part and many. */
interface NewParts {
  /** For a parameter. */
  readonly value: (name: keyof GiftParameters) => string;
  /** Common table expressions before the statement's own. */
  readonly before: string;
  /** `new`, with the id of each part. */
  readonly source: string;
  /** Joins `new` to `gift`. */
  readonly join: string;
  /** Ends a SELECT from `new` or `judged`. */
  readonly order: string;
}

/** SQL that writes parts, their payments if they are the first parts, their bundles and, if needed, their reviews. */
function insertParts({ value, before, source, join, order }: NewParts): string {
  return `
  WITH ${before}gift AS (
    INSERT INTO contribution (id, payment_id, person_id, amount, currency, given_at, day, fund_id, bundle_id, contribution_type_id,
      source, notes, giver_first, giver_last, giver_email, giver_phone, giver_address, giver_zip, created_by,
      matched_by, matched_on, other_matches, has_key, transaction_id, request_digest, request_version, first_person_id)
    OVERRIDING SYSTEM VALUE
    SELECT new.id, COALESCE(${value('paymentId')}, new.id), ${value('personId')}::integer, ${value('amount')}, ${value('currency')}, ${value('givenAt')}, ${value('day')}, COALESCE(${value('fundId')}::integer, (SELECT id FROM fund WHERE is_default)),
      open_bundle(${value('bundleTypeId')}, ${value('userId')}, ${value('today')}), ${value('contributionTypeId')}, ${value('source')}, ${value('notes')}, ${value('first')}, ${value('last')}, ${value('email')}, ${value('phone')}, ${value('address')}, ${value('zip')}, ${value('userId')},
      ${value('matchedBy')}, ${value('matchedOn')}, ${value('otherMatches')}, ${value('hasKey')}, ${value('transactionId')}::text, ${value('requestDigest')}::bytea, ${REQUEST_VERSION}, CASE WHEN ${value('transactionId')} IS NOT NULL THEN ${value('personId')} END
    FROM ${source}${order}
    RETURNING id, person_id, created_at, fund_id, equal_gifts(contribution)
  ), paid AS (
    INSERT INTO payment (id, amount, fee, method, check_number, payout_id)
    SELECT id, ${value('paidAmount')}, ${value('fee')}, ${value('method')}, ${value('checkNumber')}, ${value('payoutId')} FROM gift${join} WHERE ${value('paymentId')}::integer IS NULL
  ), judged AS (
    SELECT gift.id, gift.created_at, gift.fund_id, fund.name AS fund_name,
      equal_gifts || array_remove(ARRAY[${value('similarGift')}::integer], NULL) AS other_gifts, ${reviewReasons(value('doubts'))} AS reasons
    FROM gift${join} LEFT JOIN fund ON fund.id = gift.fund_id
  ), listed AS (
    INSERT INTO review (id, contribution_id, reasons, other_persons, other_gifts) OVERRIDING SYSTEM VALUE
    SELECT next_id('review_id_seq'), id, reasons, ${value('otherPersons')}, other_gifts FROM judged${join} WHERE cardinality(reasons) > 0${order}
  )
  SELECT id, created_at, fund_id, fund_name, reasons, ${isWanted(ContributionRecorded)} AS is_wanted FROM judged${join}${order}`;
}

const INSERT_GIFT = preparedWithNames<GiftParameters>(
  insertParts({
    value: (name) => `:${name}`,
    before: '',
    source: "(SELECT next_id('contribution_id_seq') AS id) new",
    join: '',
    order: '',
  }),
);

const NAMES = Object.keys(TYPES)
  .map((name) => `"${name}"`)
  .join(', ');

/** The same for many parts, in their order. Each sees those before it. */
const INSERT_GIFTS = prepared(
  insertParts({
    value: (name) => `new."${name}"`,
    before: `new AS MATERIALIZED (
    SELECT next_id('contribution_id_seq') AS id, sent.*
    FROM ROWS FROM (jsonb_to_recordset($1) AS (${Object.entries(TYPES)
      .map(([name, type]) => `"${name}" ${type}`)
      .join(', ')})) WITH ORDINALITY AS sent(${NAMES}, place)
  ), `,
    source: 'new',
    join: ' JOIN new USING (id)',
    order: ' ORDER BY new.place',
  }),
);

/** The inserted row of a part. */
export interface InsertedGift {
  readonly id: number;
  readonly created_at: Date;
  readonly fund_id: number;
  /** Null for a fund that was added after the statement began. */
  readonly fund_name: string | null;
  /** Why the gift is listed for review; empty if it is not. */
  readonly reasons: readonly ReviewReason[];
  /** Whether ContributionRecorded is a wanted event. */
  readonly is_wanted: boolean;
}

/** A part to write. */
export interface NewGift {
  readonly gift: SentGift;
  readonly part: GiftPart;
  readonly placement: Placement;
}

/** Writes a part of a payment into its open bundle, and lists it for review if there is a reason. */
export async function insertGift(tx: EntityManager, gift: NewGift): Promise<InsertedGift> {
  const inserted = await sqlRow<InsertedGift>(tx, INSERT_GIFT, INSERT_GIFT.values(parametersOf(gift)));
  if (inserted === undefined) throw new Error('INSERT … RETURNING returned no row');
  return inserted;
}

/**
 * Writes many payments of one part each, as {@link insertGift} would write one after the other.
 * @returns the rows, in the same order.
 */
export async function insertGifts(tx: EntityManager, gifts: readonly NewGift[]): Promise<InsertedGift[]> {
  const inserted: InsertedGift[] = [];
  for (const together of inStatements(gifts)) {
    const [first, ...others] = together;
    if (first === undefined) continue;
    if (others.length === 0) inserted.push(await insertGift(tx, first));
    else inserted.push(...(await sqlRows<InsertedGift>(tx, INSERT_GIFTS, [asJson(together.map(parametersOf))])));
  }
  return inserted;
}

/**
 * The gifts that one statement can write. {@link reviewReasons} looks for earlier reviews of a shared contact, and a
 * statement does not see the reviews that it writes itself.
 */
function inStatements(gifts: readonly NewGift[]): NewGift[][] {
  const statements: NewGift[][] = [[]];
  let persons = new Set<number>();
  for (const gift of gifts) {
    const { doubts, peopleId } = gift.placement.found;
    if (doubts.includes('shared_contact') && persons.has(peopleId)) {
      statements.push([]);
      persons = new Set();
    }
    statements.at(-1)?.push(gift);
    persons.add(peopleId);
  }
  return statements;
}

function asJson(parameters: readonly GiftParameters[]): string {
  // The notation of bytea.
  const hex = (digest: Buffer | null): string | null => (digest === null ? null : `\\x${digest.toString('hex')}`);
  return JSON.stringify(parameters.map((one) => Object.assign(one, { requestDigest: hex(one.requestDigest) })));
}

function parametersOf({ gift, part, placement }: NewGift): GiftParameters {
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
