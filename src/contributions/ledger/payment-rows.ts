import { RECORDED, REVERSED } from './reference-data.js';

/**
 * SQL for whether a row of `contribution` belongs to a payment. Its ids are looked up first, each in its index: for an OR, a
 * prepared statement may keep a plan that scans all rows.
 * @param paymentId SQL for the payment's id.
 */
export function isOfPayment(row: string, paymentId: string): string {
  return `${row}.id = ANY (ARRAY(
    SELECT ${paymentId} UNION ALL SELECT id FROM contribution WHERE payment_id = ${paymentId} AND payment_id <> id))`;
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

/**
 * SQL for whether a gift is in a fund now. Unlike {@link currentFund} it can use the index on funds, and the planner knows
 * how many gifts have the fund.
 */
export function isInFund(gift: string, fund: string): string {
  const moves = (row: string): string => `${row}.moves_id IS NOT NULL AND ${row}.amount > 0`;
  return `(${gift}.fund_id = ${fund} AND NOT EXISTS (
      SELECT FROM contribution m WHERE m.moves_id = ${gift}.id AND ${moves('m')})
    OR ${gift}.id = ANY (ARRAY(
      SELECT m.moves_id FROM contribution m WHERE ${moves('m')} AND m.fund_id = ${fund} AND NOT EXISTS (
        SELECT FROM contribution later WHERE later.moves_id = m.moves_id AND ${moves('later')} AND later.id > m.id))))`;
}

/** SQL for whether nothing is left of the payment whose first part is this row of `contribution`. */
export function isWhollyReversed(firstPart: string): string {
  return `(${firstPart}.status = ${REVERSED} AND NOT EXISTS (
    SELECT FROM contribution rest
    WHERE rest.payment_id = ${firstPart}.id AND rest.payment_id <> rest.id AND ${isGift('rest')}
      AND rest.status = ${RECORDED}))`;
}
