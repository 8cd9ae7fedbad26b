import type { FieldFault, Query } from '../../../../http/index.js';
import { type FormReader, type FormState, groupedAmount, plainAmount } from '../../../../pages/index.js';
import { displayAmount, fromCents, storedAmount, toCents } from '../../../../values/index.js';
import type { DepositView } from '../../deposit-view.js';
import type { SeenBank } from '../../settling/enter-bank.service.js';
import { BankRequest } from '../../settling/settling.requests.js';
import type { FilledRow } from './pasted-lines.js';
import { readNamed, rowsIn, textIn } from '../shared/named-fields.js';

/** The names of the fields of a row, without the id of the deposit. */
export const DATE = 'Date-';
export const SAME = 'Same-';
export const AMOUNT = 'Amount-';
export const REFERENCE = 'Reference-';
export const WAS = 'Was-';

/** What the form of a deposit says that was entered before, so that nobody else's entry is replaced unseen. */
export function wasText({ bankDate, bankAmount, bankReference }: DepositView): string {
  return JSON.stringify([bankDate, bankAmount, bankReference]);
}

/** What a page has shown: each field, or null. */
type SeenByPage = Pick<DepositView, 'bankDate' | 'bankAmount' | 'bankReference'>;

/** What {@link wasText} wrote. Anything else counts as nothing entered. */
export function readWas(text: string): SeenByPage {
  const [bankDate, bankAmount, bankReference] = partsOf(text).map((part) => (typeof part === 'string' ? part : null));
  return { bankDate: bankDate ?? null, bankAmount: bankAmount ?? null, bankReference: bankReference ?? null };
}

function partsOf(text: string): unknown[] {
  try {
    const parts = JSON.parse(text) as unknown;
    return Array.isArray(parts) ? parts : [];
  } catch {
    return [];
  }
}

/** A row in which something was entered. */
export interface EnteredRow {
  readonly id: number;
  readonly date: string;
  readonly amount: string;
  readonly reference: string | null;
  readonly seen: SeenBank;
}

/** What a statement says, and what is wrong with it. */
export interface ReadStatement {
  readonly entered: readonly EnteredRow[];
  readonly state: FormState;
}

/** Reads the rows of a bank statement. Rows that say nothing new are left out. */
export function readStatement(forms: FormReader, sent: Query): ReadStatement {
  const entered: EnteredRow[] = [];
  const faults: FieldFault[] = [];
  const typed: Record<string, string> = {};
  for (const { id, value: was } of rowsIn(sent, WAS)) {
    const row = readRow(forms, sent, id, readWas(was));
    Object.assign(typed, row.typed);
    faults.push(...row.faults);
    if (row.entered !== undefined) entered.push(row.entered);
  }
  return { entered, state: { typed, faults } };
}

/** The state of the form with what pasted lines fill in. What was typed in other rows stays. */
export function withFilledRows({ typed }: FormState, filled: readonly FilledRow[]): FormState {
  const named = new Map(filled.map((row) => [row.id, row]));
  const isTick = (name: string): boolean => name.startsWith(SAME) && named.has(Number(name.slice(SAME.length)));
  const others = Object.entries(typed).filter(([name]) => !isTick(name));
  const rows = filled.flatMap(({ id, amount, day }) => [
    [`${AMOUNT}${id}`, fieldAmount(amount)] as const,
    ...(day === undefined ? [] : [[`${DATE}${id}`, day] as const]),
  ]);
  return { typed: Object.fromEntries([...others, ...rows]), faults: [] };
}

/** An amount as a field of the statement has it: "1,234.50", "-12.00". */
export function fieldAmount(amount: string): string {
  return groupedAmount(amount).replace('\u{2212}', '-');
}

const AMOUNT_IN_FIELD = /^-?\d{1,14}(?:\.\d{1,2})?$/;

/** By how much an amount of the bank is more than what is expected, as decimal text; undefined if the text is no amount. */
export function differenceOf(
  { expected, currency }: Pick<DepositView, 'expected' | 'currency'>,
  text: string,
): string | undefined {
  const amount = plainAmount(text.trim());
  if (!AMOUNT_IN_FIELD.test(amount)) return undefined;
  return displayAmount(fromCents(toCents(storedAmount(amount)) - toCents(storedAmount(expected))), currency);
}

interface ReadRow {
  readonly entered?: EnteredRow;
  readonly faults: readonly FieldFault[];
  readonly typed: FormState['typed'];
}

function readRow(forms: FormReader, sent: Query, id: number, seen: SeenByPage): ReadRow {
  const names = { Date: `${DATE}${id}`, Amount: `${AMOUNT}${id}`, Reference: `${REFERENCE}${id}` };
  const [date, sentAmount = '', reference] = Object.values(names).map((name) => textIn(sent, name));
  const amount = plainAmount(sentAmount);
  const same = textIn(sent, `${SAME}${id}`);
  const fields = { [names.Date]: date ?? '', [names.Amount]: sentAmount, [names.Reference]: reference ?? '' };
  const typed = { ...fields, ...(same !== '' && { [`${SAME}${id}`]: same }) };
  // The day is there before anything is typed, so that alone it says nothing.
  const isEmpty = amount === '' && same === '' && reference === '' && seen.bankAmount === null;
  const isAsBefore =
    date === seen.bankDate && amount === seen.bankAmount && reference === (seen.bankReference ?? '') && same === '';
  if (isEmpty || isAsBefore) return { faults: [], typed };
  if (same !== '' && amount !== '' && amount !== same) {
    const message = 'must be empty if “as expected” is ticked';
    return { faults: [{ field: names.Amount, message }], typed };
  }
  const reading = readNamed(forms, BankRequest, { ...fields, [names.Amount]: amount === '' ? same : amount }, names);
  if (!reading.isValid) return { faults: reading.state.faults, typed };
  const { Date: day, Amount: received, Reference: bankReference } = reading.value;
  return {
    entered: { id, date: day, amount: received, reference: bankReference ?? null, seen },
    faults: [],
    typed,
  };
}
