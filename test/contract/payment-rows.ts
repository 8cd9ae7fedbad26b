import type { TestApp } from '../support/test-app.js';

/**
 * Rows of payments, written in SQL: further parts, reversals of a part of an amount, moves to another fund, and
 * reinstatements. The triggers of the database fill in what follows from them.
 */

const COPIED = 'person_id, currency, given_at, day, bundle_id, created_by';

async function insert(service: TestApp, sql: string, values: readonly unknown[]): Promise<number> {
  const [row] = await service.database.query<{ id: number }>(sql, values);
  if (row === undefined) throw new Error('INSERT … RETURNING returned no row');
  return row.id;
}

/** Adds a part to a payment, as if it had been sent with it. @param gift its first part. @returns the part's id. */
export async function addPart(service: TestApp, gift: number, amount: string, fundId = 1): Promise<number> {
  return insert(
    service,
    `WITH part AS (
       INSERT INTO contribution (payment_id, amount, fund_id, ${COPIED}, contribution_type_id, source, transaction_id, request_digest,
         request_version, first_person_id, has_key,
         giver_first, giver_last, giver_email, giver_phone, matched_by, matched_on, other_matches)
       SELECT id, $2, $3, ${COPIED}, contribution_type_id, source, transaction_id, request_digest,
         request_version, first_person_id, has_key,
         giver_first, giver_last, giver_email, giver_phone, matched_by, matched_on, other_matches
       FROM contribution WHERE id = $1 RETURNING id
     ), paid AS (UPDATE payment SET amount = amount + $2 WHERE id = $1)
     SELECT id FROM part`,
    [gift, amount, fundId],
  );
}

/** What a sender may tell about a payment. */
export async function setPayment(
  service: TestApp,
  gift: number,
  facts: { fee?: string; method?: string; checkNumber?: string; payoutId?: string },
): Promise<void> {
  await service.database.query(
    'UPDATE payment SET fee = $2, method = $3, check_number = $4, payout_id = $5 WHERE id = $1',
    [gift, facts.fee, facts.method, facts.checkNumber, facts.payoutId],
  );
}

/** Reverses a part of a gift. @returns the reversing entry's id. */
export async function reversePart(
  service: TestApp,
  gift: number,
  amount: string,
  facts: { reason?: string; refundId?: string; day?: string } = {},
): Promise<number> {
  return insert(
    service,
    `INSERT INTO contribution (id, reversal_id, reverses_id, amount, ${COPIED}, fund_id, contribution_type_id, source, reason, refund_id)
     OVERRIDING SYSTEM VALUE
     SELECT entry.id, entry.id, gift.id, -$2::numeric, person_id, currency, now(), COALESCE($5::date, day), bundle_id,
       created_by, fund_id, 7, 'refunder', $3, $4
     FROM contribution gift, (SELECT nextval('contribution_id_seq')::integer AS id) entry
     WHERE gift.id = $1 RETURNING id`,
    [gift, amount, facts.reason, facts.refundId, facts.day],
  );
}

/** Moves what is left of a gift to a fund. @returns the ids of both entries: that out of the old fund, that into the new. */
export async function moveToFund(service: TestApp, gift: number, fundId: number): Promise<[number, number]> {
  const rows = await service.database.query<{ id: number }>(
    `INSERT INTO contribution (moves_id, amount, fund_id, ${COPIED}, contribution_type_id, source)
     SELECT gift.id, side.sign * (amount - reversed_amount), side.fund, ${COPIED}, contribution_type_id, source
     FROM contribution gift, LATERAL (VALUES (-1, COALESCE((
         SELECT m.fund_id FROM contribution m WHERE m.moves_id = gift.id AND m.amount > 0 ORDER BY m.id DESC LIMIT 1
       ), gift.fund_id)), (1, $2)) AS side (sign, fund)
     WHERE gift.id = $1 ORDER BY side.sign RETURNING id`,
    [gift, fundId],
  );
  return rows.map(({ id }) => id) as [number, number];
}

/** Reinstates what a reversing entry took. @returns the new gift's id. */
export async function reinstate(service: TestApp, entry: number): Promise<number> {
  return insert(
    service,
    `INSERT INTO contribution (reinstates_id, amount, person_id, currency, given_at, day, bundle_id, created_by, fund_id,
       contribution_type_id, source, giver_first, giver_last, giver_email, giver_phone)
     SELECT entry.id, -entry.amount, gift.person_id, gift.currency, gift.given_at, gift.day, gift.bundle_id,
       gift.created_by, entry.fund_id, gift.contribution_type_id, gift.source, gift.giver_first, gift.giver_last, gift.giver_email,
       gift.giver_phone
     FROM contribution entry JOIN contribution gift ON gift.id = entry.reverses_id WHERE entry.id = $1 RETURNING id`,
    [entry],
  );
}
