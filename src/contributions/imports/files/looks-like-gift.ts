import { isAbsent, isFault, readAmountOrZero, readGiftDate, STORED_DECIMALS } from '../../../values/index.js';
import { AMOUNT_NOTATIONS, type DateOrder, readCellAmount, readCellDate, withoutSign } from '../../notations/index.js';
import { isRefundRow, type RefundColumns } from './columns.js';
import { WHOLE_NAME } from './field-names.js';

const GIVER = ['First', 'Last', WHOLE_NAME, 'Email'];
const ORDERS: readonly DateOrder[] = ['M/D/Y', 'D/M/Y', 'Y-M-D'];

/**
 * Whether the cells are probably a row of a gift or a refund, and not a sum or another line below the table. Amounts and
 * dates count in any notation, because a row that is dropped by mistake is not even refused.
 */
export function looksLikeGift(columns: RefundColumns, cells: readonly string[]): boolean {
  const { fields } = columns;
  const cellOf = (field: string): string => cells[fields.indexOf(field)] ?? '';
  const says = (field: string): boolean => !isAbsent(cellOf(field)) && !isSumLabel(cellOf(field));
  const [hasId, hasGiver] = [says('TransactionId') || says('RefundOf'), GIVER.some(says)];
  if (hasId && isRefundRow(columns, cells)) return true;
  if (!isAmount(cellOf('Amount'))) return false;
  const date = cellOf('Date');
  // A gift with an id needs no date.
  return isAbsent(date) ? hasId && hasGiver : isDate(date) && (hasId || hasGiver);
}

/** Whether the cells are a line with a sum. */
export function looksLikeSum(columns: RefundColumns, cells: readonly string[]): boolean {
  return cells.some(isSumLabel) && !looksLikeGift(columns, cells);
}

/** Whether a cell is the label of a sum. */
export function isSumLabel(cell: string): boolean {
  return /^\s*(grand |sub)?(totals?|sums?)\s*:?\s*$/i.test(cell);
}

function isAmount(cell: string): boolean {
  if (!isFault(readAmountOrZero(withoutSign(cell), STORED_DECIMALS))) return true;
  // The currency does not matter here.
  return AMOUNT_NOTATIONS.some((notation) => readCellAmount(cell, notation, 'USD') !== undefined);
}

function isDate(cell: string): boolean {
  return ORDERS.some((order) => {
    const slashes = order === 'Y-M-D' ? undefined : order;
    return !isFault(readGiftDate(readCellDate({ date: cell }, order, true), slashes));
  });
}
