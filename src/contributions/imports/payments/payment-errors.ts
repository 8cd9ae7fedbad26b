import { InvalidRequestError } from '../../../http/index.js';
import { MAX_SPLITS } from '../../gifts/index.js';

/** A row of a payment. */
interface Row {
  readonly line: number;
}

/** The most lines that a message names. Each row of the payment has the message in its result. */
const MAX_NAMED_LINES = 20;

export function linesOf(rows: readonly Row[]): string {
  const lines = rows.map(({ line }) => line).sort((a, b) => a - b);
  const more = lines.length - MAX_NAMED_LINES;
  return lines.slice(0, MAX_NAMED_LINES).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

export function repeatedFund(rows: readonly Row[]): InvalidRequestError {
  const message =
    `is on the lines ${linesOf(rows)}, and two of them have the same fund. Rows with one id and different funds are one ` +
    'payment: add up the rows of each fund';
  return InvalidRequestError.ofFields([{ field: 'TransactionId', message }]);
}

export function tooManyRows(rows: readonly Row[]): InvalidRequestError {
  const message = `is on the lines ${linesOf(rows)}: a payment has at most ${MAX_SPLITS} funds`;
  return InvalidRequestError.ofFields([{ field: 'TransactionId', message }]);
}

export function unknownRow(parts: readonly Row[], line: number): InvalidRequestError {
  const message = `is on the lines ${linesOf(parts)}, and line ${line} has an unknown value, so the payment is not complete`;
  return InvalidRequestError.ofFields([{ field: 'TransactionId', message }]);
}

export function differentRows(parts: readonly Row[], names: readonly string[]): InvalidRequestError {
  const message =
    `is on the lines ${linesOf(parts)}, which differ in ${names.join(', ')}. Rows with one id and different funds are one ` +
    'payment, and must be equal in all but fund, amount, fee and notes';
  return InvalidRequestError.ofFields([{ field: 'TransactionId', message }]);
}
