import { isPart, JOIN_GIFT, TYPE_OF_GIFT } from '../../ledger/index.js';

/** The columns by which contributions are summed up. */
const KEY = 'month, fund_id, contribution_type_id, currency';

/**
 * SQL for sums of contributions by {@link KEY}: `gifts`, the parts of payments as sent, and `amount`, of all entries. A
 * reversing entry counts in the month in which it was made, and a reinstatement in that of the reversal that it undoes. A
 * move counts in both funds.
 * @param condition on contribution `c`.
 */
export function monthSums(condition: string): string {
  return `
    SELECT date_trunc('month', COALESCE(undone.day, c.day)::timestamp)::date AS month, c.fund_id,
      ${TYPE_OF_GIFT} AS contribution_type_id, c.currency,
      (count(*) FILTER (WHERE ${isPart('c')}))::integer AS gifts, sum(c.amount) AS amount
    FROM contribution c ${JOIN_GIFT} LEFT JOIN contribution undone ON undone.id = c.reinstates_id
    WHERE ${condition}
    GROUP BY 1, 2, 3, 4`;
}

/** Adds the sums of the contributions of a step: those with ids above $1, up to $2. */
export const ADD_STEP = `
  INSERT INTO fund_month_total AS t (${KEY}, gifts, amount)
  ${monthSums('c.id > $1 AND c.id <= $2')}
  ON CONFLICT (${KEY}) DO UPDATE SET gifts = t.gifts + excluded.gifts, amount = t.amount + excluded.amount`;

/**
 * The sums of the months from $1 to $2 by {@link KEY}: those that are stored, up to contribution $3, and those of the
 * contributions since.
 */
export const SELECT_SUMS = `
  SELECT to_char(month, 'YYYY-MM') AS month, fund_id AS "fundId", contribution_type_id AS "typeId", currency,
    sum(gifts)::integer AS gifts, sum(amount)::text AS amount
  FROM (
    SELECT ${KEY}, gifts, amount FROM fund_month_total
    UNION ALL
    SELECT ${KEY}, gifts, amount
    FROM (${monthSums('c.id > $3')}) added
  ) sums
  WHERE month BETWEEN $1 AND $2
  GROUP BY ${KEY} ORDER BY ${KEY}`;
