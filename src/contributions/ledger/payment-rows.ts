/**
 * SQL for whether a row of `contribution` belongs to a payment. Both sides of OR have an index.
 * @param paymentId SQL for the payment's id.
 */
export function isOfPayment(row: string, paymentId: string): string {
  return `(${row}.id = ${paymentId} OR (${row}.payment_id = ${paymentId} AND ${row}.payment_id <> ${row}.id))`;
}

/**
 * SQL for a table of the rows of a payment, for prepared statements: a plan that was made for an empty table would keep
 * scanning all rows for the OR of {@link isOfPayment}. Its rows cannot be locked.
 */
export function rowsOfPayment(paymentId: string): string {
  return `(
    SELECT * FROM contribution WHERE id = ${paymentId}
    UNION ALL
    SELECT * FROM contribution WHERE payment_id = ${paymentId} AND payment_id <> id
  )`;
}

/** SQL for whether a row of `contribution` is a gift: a part of its payment as sent, or a reinstatement. */
export function isGift(row: string): string {
  return `${row}.reverses_id IS NULL AND ${row}.moves_id IS NULL`;
}

/** SQL for whether a row of `contribution` is a part of its payment as sent. */
export function isPart(row: string): string {
  return `${isGift(row)} AND ${row}.reinstates_id IS NULL`;
}

/**
 * SQL for the fund in which a gift is now: that of its latest move, otherwise its own. An aggregate, because for
 * `ORDER BY … LIMIT 1` a plan may read all contributions from the last one on.
 */
export function currentFund(gift: string): string {
  return `COALESCE(
    (SELECT (array_agg(m.fund_id ORDER BY m.id DESC))[1] FROM contribution m WHERE m.moves_id = ${gift}.id AND m.amount > 0),
    ${gift}.fund_id)`;
}
