import type { SlashDates } from '../../../values/index.js';
import { WHOLE_NAME } from '../files/field-names.js';
import type { FileFormat } from '../files/file-format.js';
import { readCellAmount, readCellDate, withoutSign } from '../../notations/index.js';
import { readCellMethod } from './cell-method.js';
import { type NameOrder, splitName } from './cell-name.js';

/** How a file writes its cells. */
interface CellFormat {
  readonly nameOrder: NameOrder | undefined;
  readonly file: FileFormat;
  readonly church: { readonly currency: string; readonly slashDates: SlashDates | undefined };
}

/** Stands for an amount in another notation than that of the file. AddContribution refuses it. */
const NO_AMOUNT = Symbol('an amount in another notation');

/** Amounts that files write with a minus sign or without one. */
const SIGNLESS = ['Fee', 'RefundedAmount', 'DisputedAmount'];

/**
 * Converts the cells of a row, by their fields, to the notation of AddContribution. A cell that cannot be converted makes
 * the row invalid.
 */
export function convertCells(row: Readonly<Record<string, string>>, format: CellFormat): Record<string, unknown> {
  const { [WHOLE_NAME]: name, Date: date, Time: time, TimeZone: zone, ...others } = row;
  const { file, church, nameOrder } = format;
  const converted: Record<string, unknown> = { ...others };
  if (name !== undefined && nameOrder !== undefined) convertName(converted, name, nameOrder);
  convertAmounts(converted, row, format);
  if (date !== undefined) {
    const order = file.dates ?? church.slashDates;
    converted['Date'] = readCellDate({ date, time, zone }, order, file.dates !== undefined);
  }
  const { Method: method } = row;
  if (method !== undefined) converted['Method'] = readCellMethod(method);
  return converted;
}

function convertName(converted: Record<string, unknown>, name: string, order: NameOrder): void {
  const { first, last } = splitName(name, order);
  if (first !== undefined) converted['First'] = first;
  if (last !== undefined) converted['Last'] = last;
}

function convertAmounts(
  converted: Record<string, unknown>,
  row: Readonly<Record<string, string>>,
  { file: { amounts }, church: { currency } }: CellFormat,
): void {
  for (const field of ['Amount', ...SIGNLESS]) {
    const cell = row[field];
    if (cell === undefined) continue;
    const amount = amounts === undefined ? undefined : readCellAmount(cell, amounts, currency);
    const text = amounts === undefined ? cell : amount?.text;
    if (text === undefined) converted[field] = NO_AMOUNT;
    else converted[field] = SIGNLESS.includes(field) ? withoutSign(text) : text;
    // The use case refuses another currency than the church's.
    if (amount?.otherCurrency !== undefined) converted['Currency'] = amount.otherCurrency;
  }
}
