import type { Transactions } from '../../database/index.js';
import { type FieldFault, InvalidRequestError } from '../../http/index.js';
import { displayAmount, fault, isFault, minorUnitsOf, readSignedAmount, STORED_DECIMALS } from '../../values/index.js';
import { TotalsNotReadyError } from '../ledger/index.js';
import type { DepositName } from './deposit-rows.js';

/** An amount, as stored, by the field in which the caller has sent it. */
export interface SentAmount {
  readonly field: string;
  readonly amount: string | null;
  /** What the message begins with: "number 3: Fee ". */
  readonly place?: string;
}

/**
 * @param currency of the deposit, which may be a former one of the church with other decimals.
 * @throws InvalidRequestError for an amount with more decimals than the currency has.
 */
export function assertDecimals(amounts: readonly SentAmount[], currency: string): void {
  const minorUnits = minorUnitsOf(currency) ?? STORED_DECIMALS;
  const faults = amounts.flatMap(({ field, amount, place = '' }): FieldFault[] => {
    if (amount === null) return [];
    const reading = readSignedAmount(displayAmount(amount, currency), minorUnits);
    return isFault(reading) ? [{ field, message: `${place}${reading.fault}` }] : [];
  });
  if (faults.length > 0) throw InvalidRequestError.ofFields(faults);
}

/** More new gifts than come in between two sums of the totals. */
const MOST_NEW_GIFTS = 50_000;

/**
 * Whether the church has had this currency; null if the books are not summed up far enough to say no. Contributions have no index
 * on the currency, so this reads the totals, and by their ids the gifts that came since. `ORDER BY` and `LIMIT` make the planner use
 * the index on the id; otherwise it may read all contributions. A deposit can be older than a change of the currency, and have no gift.
 * $1 currency, $2 source, $3 the sender's id of the deposit, $4 user or null
 */
const SELECT_IS_OF_BOOKS = `
  WITH progress AS (SELECT up_to, complete FROM reading_progress WHERE reader = 'totals'),
    new AS MATERIALIZED (
      SELECT currency FROM contribution WHERE id > (SELECT up_to FROM progress) ORDER BY id LIMIT ${MOST_NEW_GIFTS})
  SELECT CASE
    WHEN EXISTS (SELECT FROM fund_month_total WHERE currency = $1) THEN true
    WHEN EXISTS (
      SELECT FROM deposit WHERE source = $2 AND deposit_id = $3 AND user_id IS NOT DISTINCT FROM $4::integer AND currency = $1)
      THEN true
    WHEN NOT (SELECT complete FROM progress) THEN NULL
    WHEN EXISTS (SELECT FROM new WHERE currency = $1) THEN true
    WHEN (SELECT count(*) FROM new) < ${MOST_NEW_GIFTS} THEN false
  END AS "isOfBooks"`;

/**
 * Call this before any lock is taken: a wrong currency must keep nobody waiting.
 * @throws InvalidRequestError for a currency that is neither the church's, nor one in which the books have gifts, nor that of the
 * deposit, if there is one; TotalsNotReadyError if the books cannot say this yet.
 */
export async function assertOfBooks(
  transactions: Transactions,
  { currency, source, depositId, userId }: DepositName,
  ofChurch: string,
): Promise<void> {
  if (currency === undefined || currency === ofChurch) return;
  const values = [currency, source, depositId, userId];
  const [row] = await transactions.query<{ isOfBooks: boolean | null }>(SELECT_IS_OF_BOOKS, values);
  if (row?.isOfBooks === true) return;
  if (row?.isOfBooks !== false) throw new TotalsNotReadyError();
  const faulty = fault(`must be ${ofChurch}, or a former currency of the church in which it has gifts`);
  throw InvalidRequestError.ofReadings({ Currency: faulty });
}
