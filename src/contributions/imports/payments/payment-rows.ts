import { InvalidRequestError } from '../../../http/index.js';
import { normalizeText, storedAmount, sumOfAmounts } from '../../../values/index.js';
import { shortHash } from '../identity/row-identity.js';

type Fields = Readonly<Record<string, unknown>>;

/** A row of a gift, as read from the file. */
export interface GiftRow {
  /** From 1, not counting the line with the names of the columns. */
  readonly row: number;
  readonly line: number;
  readonly fields: Fields;
}

/** A row of a payment: its line, and the fields that it has of its own. */
interface Part {
  readonly line: number;
  readonly own: Fields;
}

interface Payment {
  readonly firstRow: number;
  lastRow: number;
  /** As {@link toText} writes them, because one string takes a fifth of the memory of the objects. */
  readonly parts: string[];
  /** Rows with a fund that an earlier row has; undefined for most payments. */
  repeated: { readonly row: number; readonly line: number }[] | undefined;
  /** Fields in which its rows differ although they must have them in common. Most payments share the empty list. */
  differing: readonly string[];
  /** The common fields of its first row; undefined once all rows were added. */
  common: Fields | undefined;
}

/** The fields that each row of a payment has of its own. */
const OF_PARTS = ['FundId', 'FundName', 'Amount', 'Notes', 'ContributionTypeId'] as const;
/** The fields of which a payment has the sum of its rows. */
const SUMS = ['Fee', 'RefundedAmount'] as const;
const NONE: readonly string[] = [];
const OWN_IN_ORDER: readonly string[] = [...OF_PARTS, ...SUMS];
const OWN: ReadonlySet<string> = new Set(OWN_IN_ORDER);

/**
 * The payments that a file spreads over several rows: those with one TransactionId and Source, and with different funds. It
 * keeps about 200 bytes of each such row.
 */
export class PaymentRows {
  private readonly payments = new Map<string, Payment>();
  /** By row, the first row of its payment, negated for its last row; 0 for all other rows. */
  private readonly firstRows: Int32Array;

  /** @param rows the number of rows in the file. */
  constructor(rows: number) {
    this.firstRows = new Int32Array(rows + 1);
  }

  /**
   * Adds a row whose id other rows have, too. Call it in the order of the file. If all rows of an id have the same fund, its
   * id is repeated by mistake, and each row is by itself. If they have several funds, a fund that is there twice makes the
   * whole payment invalid: it would be recorded without a part of its amount.
   */
  add({ row, line, fields }: GiftRow): void {
    const key = transactionKey(fields);
    const payment = this.payments.get(key);
    const part: Part = { line, own: ownFields(fields) };
    if (payment === undefined) {
      const common = commonFields(fields);
      const parts = [toText(part)];
      this.payments.set(key, { firstRow: row, lastRow: row, parts, repeated: undefined, differing: NONE, common });
      return;
    }
    if (partsOf(payment).some((other) => fundOf(other) === fundOf(part))) {
      (payment.repeated ??= []).push({ row, line });
      return;
    }
    payment.parts.push(toText(part));
    this.firstRows[payment.firstRow] = payment.firstRow;
    this.firstRows[row] = payment.firstRow;
    payment.lastRow = row;
    const differing = differences(payment.common ?? {}, commonFields(fields));
    if (differing.length > 0) payment.differing = [...new Set([...payment.differing, ...differing])];
  }

  /** Call it after the last row. */
  finish(): void {
    for (const [key, payment] of this.payments) {
      payment.common = undefined;
      if (payment.parts.length === 1) {
        this.payments.delete(key);
        continue;
      }
      for (const { row } of payment.repeated ?? []) {
        this.firstRows[row] = payment.firstRow;
        payment.lastRow = Math.max(payment.lastRow, row);
      }
      this.firstRows[payment.lastRow] = -payment.firstRow;
    }
  }

  /** The first row of the payment to which a row belongs; undefined for a row that is a payment of its own. */
  firstRowOf(row: number): number | undefined {
    const first = Math.abs(this.firstRows[row] ?? 0);
    return first === 0 ? undefined : first;
  }

  /** Whether a row is the last one of a payment with several rows. */
  isLastRow(row: number): boolean {
    return (this.firstRows[row] ?? 0) < 0;
  }

  /**
   * The fields of a whole payment: those of its first row, with the sums of all rows and their funds as Splits. The fields
   * of a row that is a payment of its own are returned unchanged.
   * @throws InvalidRequestError if the rows differ in a field that they must have in common, or if two have one fund.
   */
  wholeOf(fields: Fields): Fields {
    const payment = this.payments.size === 0 ? undefined : this.payments.get(transactionKey(fields));
    if (payment === undefined) return fields;
    // In an order of their own, so that the same payment is found in a file with another order of its rows.
    const parts = partsOf(payment).sort((one, other) => compare(fundOf(one), fundOf(other)));
    if (payment.differing.length > 0) throw differentRows(parts, payment.differing);
    if (payment.repeated !== undefined) throw repeatedFund([...parts, ...payment.repeated]);
    const common = Object.entries(fields).filter(([name]) => !OWN.has(name));
    const amounts = parts.map(({ own }) => own['Amount']);
    return {
      ...Object.fromEntries(common),
      Amount: sumOf(amounts),
      ...Object.fromEntries(SUMS.flatMap((name) => sumUnlessBlank(name, parts))),
      Splits: parts.map(({ own }) => Object.fromEntries(OF_PARTS.map((name) => [name, own[name]]))),
    };
  }
}

/** The key of all rows with this TransactionId and Source. */
export function transactionKey({ Source, TransactionId }: Fields): string {
  return shortHash([normalizeText(String(Source)), normalizeText(String(TransactionId))]);
}

function partsOf({ parts }: Payment): Part[] {
  return parts.map(fromText);
}

/** The values of a part without the names of its fields. */
function toText({ line, own }: Part): string {
  return JSON.stringify([line, ...OWN_IN_ORDER.map((name) => own[name] ?? null)]);
}

function fromText(text: string): Part {
  const [line, ...values] = JSON.parse(text) as [number, ...unknown[]];
  return { line, own: Object.fromEntries(OWN_IN_ORDER.map((name, i) => [name, values[i] ?? undefined])) };
}

function ownFields(fields: Fields): Fields {
  const own = Object.entries(fields).filter(([name]) => OWN.has(name));
  // A symbol stands for an invalid amount. JSON has none, and any other text is invalid as well.
  return Object.fromEntries(own.map(([name, value]) => [name, typeof value === 'symbol' ? 'invalid' : value]));
}

function commonFields(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !OWN.has(name)));
}

function differences(one: Fields, other: Fields): string[] {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].filter((name) => one[name] !== other[name]);
}

function fundOf({ own: { FundId, FundName } }: Part): string {
  const name = typeof FundName === 'string' ? normalizeText(FundName).toLowerCase() : '';
  return JSON.stringify([FundId ?? null, name]);
}

function compare(one: string, other: string): number {
  return one < other ? -1 : 1;
}

function repeatedFund(rows: readonly { readonly line: number }[]): InvalidRequestError {
  const lines = rows.map(({ line }) => line).sort((a, b) => a - b);
  const message =
    `is on the lines ${lines.join(', ')}, and two of them have the same fund. Rows with one id and different funds are one ` +
    'payment: add up the rows of each fund';
  return InvalidRequestError.ofFields([{ field: 'TransactionId', message }]);
}

function differentRows(parts: readonly Part[], names: readonly string[]): InvalidRequestError {
  const lines = parts.map(({ line }) => line).sort((a, b) => a - b);
  const message =
    `is on the lines ${lines.join(', ')}, which differ in ${names.join(', ')}. Rows with one id and different funds are one ` +
    'payment, and must be equal in all but fund, amount, fee and notes';
  return InvalidRequestError.ofFields([{ field: 'TransactionId', message }]);
}

const DECIMAL = /^\d{1,9}(\.\d{1,2})?$/;

/** The exact sum of amounts. If one is invalid, the result is that one, which is refused. */
function sumOf(amounts: readonly unknown[]): unknown {
  const texts = amounts.map((amount) => normalizeText(String(amount)));
  const invalid = texts.find((text) => !DECIMAL.test(text));
  if (invalid !== undefined) return invalid;
  const sum = sumOfAmounts(texts.map(storedAmount));
  // The currency may have no decimals.
  return texts.some((text) => text.includes('.')) ? sum : sum.replace(/\.00$/, '');
}

function sumUnlessBlank(name: string, parts: readonly Part[]): [string, unknown][] {
  const sent = parts.flatMap(({ own }) => own[name] ?? []);
  return sent.length === 0 ? [] : [[name, sumOf(sent)]];
}
