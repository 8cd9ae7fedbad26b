import { isFault, readAmountOrZero, STORED_DECIMALS, toCents } from '../../../values/index.js';
import { sumOfCells } from './sum-of-cells.js';

/** Stands for the amount of a lost dispute that the row does not say. It is refused. */
export const UNKNOWN_DISPUTE = Symbol('the amount of the dispute is missing, zero or invalid');

type Fields = Readonly<Record<string, unknown>>;

/** The fields of a gift that was lost in a dispute: what was disputed was taken back, besides what was refunded. */
export function withLostDispute({ DisputedAmount: disputed, ...fields }: Fields): Record<string, unknown> {
  const lost = readAmountOrZero(disputed, STORED_DECIMALS);
  if (isFault(lost) || toCents(lost.value) === 0n) return { ...fields, RefundedAmount: UNKNOWN_DISPUTE };
  const { RefundedAmount: refunded = '0' } = fields;
  return { ...fields, RefundedAmount: sumOfCells([refunded, disputed]) };
}
