import { isFault, normalizeText, readAmountOrZero, STORED_DECIMALS } from '../../../values/index.js';
import { MAX_SPLITS } from '../../gifts/index.js';
import { REPEATED_FIELDS, type RepeatedField } from '../files/file-format.js';
import { ImportError } from '../import-error.js';
import { differentRows, linesOf, repeatedFund, tooManyRows, unknownRow } from './payment-errors.js';
import { shortHash } from '../identity/row-identity.js';
import { sumOfCells } from './sum-of-cells.js';

type Fields = Readonly<Record<string, unknown>>;

/** A row of a gift, as read from the file. */
export interface GiftRow {
  /** From 1, not counting the line with the names of the columns. */
  readonly row: number;
  readonly line: number;
  readonly fields: Fields;
  /** Whether it has a value that the mapping does not know, so it may be no gift. */
  readonly isUnknown?: boolean;
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
  /** The line of a row with an unknown value; undefined for most payments. */
  unknownOn: number | undefined;
  /** Fields in which its rows differ although they must have them in common. Most payments share the empty list. */
  differing: readonly string[];
  /** The common fields of its first row; undefined once all rows were added. */
  common: Fields | undefined;
}

/** The fields that each row of a payment has of its own. */
const OF_PARTS = ['FundId', 'FundName', 'Amount', 'Notes', 'ContributionTypeId'] as const;
/** The fields of which a payment has the sum of its rows, or the value that its rows repeat. */
const SUMS = REPEATED_FIELDS;
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

  /**
   * @param rows the number of rows in the file.
   * @param repeats the fields that each row has for the whole payment; undefined if it was not said.
   */
  constructor(
    rows: number,
    private readonly repeats?: readonly RepeatedField[],
  ) {
    this.firstRows = new Int32Array(rows + 1);
  }

  /**
   * Adds a row whose id other rows have, too. Call it in the order of the file. If all rows of an id have the same fund, its
   * id is repeated by mistake, and each row is by itself. If they have several funds, a fund that is there twice makes the
   * whole payment invalid: it would be recorded without a part of its amount.
   */
  add({ row, line, fields, isUnknown = false }: GiftRow): void {
    const key = transactionKey(fields);
    const payment = this.payments.get(key);
    const part: Part = { line, own: ownFields(fields) };
    if (payment === undefined) {
      const common = commonFields(fields);
      const parts = [toText(part)];
      const unknownOn = isUnknown ? line : undefined;
      const rest = { repeated: undefined, unknownOn, differing: NONE, common };
      this.payments.set(key, { firstRow: row, lastRow: row, parts, ...rest });
      return;
    }
    if (isUnknown) payment.unknownOn ??= line;
    // A mapping that reads another column as the id makes one payment of all rows. It is refused, so its rows are not compared.
    if (payment.parts.length > MAX_SPLITS || partsOf(payment).some((other) => fundOf(other) === fundOf(part))) {
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

  /**
   * Call it after the last row.
   * @throws ImportError if the rows of a payment have equal fees or refunds, and it was not said whether they are to be added up.
   */
  finish(): void {
    for (const [key, payment] of this.payments) {
      payment.common = undefined;
      if (payment.parts.length === 1) {
        this.payments.delete(key);
        continue;
      }
      if (this.repeats === undefined) assertNoRepeats(partsOf(payment));
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
    if (parts.length > MAX_SPLITS) throw tooManyRows([...parts, ...(payment.repeated ?? [])]);
    if (payment.unknownOn !== undefined) throw unknownRow(parts, payment.unknownOn);
    if (payment.differing.length > 0) throw differentRows(parts, payment.differing);
    if (payment.repeated !== undefined) throw repeatedFund([...parts, ...payment.repeated]);
    const common = Object.entries(fields).filter(([name]) => !OWN.has(name));
    const amounts = parts.map(({ own }) => own['Amount']);
    return {
      ...Object.fromEntries(common),
      Amount: sumOfCells(amounts),
      ...Object.fromEntries(SUMS.flatMap((name) => this.valueOf(name, parts))),
      Splits: parts.map(({ own }) => Object.fromEntries(OF_PARTS.map((name) => [name, own[name]]))),
    };
  }

  /** The sum of the rows, or the value that they repeat; nothing if it is blank on all of them. */
  private valueOf(name: RepeatedField, parts: readonly Part[]): [string, unknown][] {
    const sent = parts.flatMap(({ own }) => own[name] ?? []);
    if (sent.length === 0) return [];
    if (this.repeats?.includes(name) !== true) return [[name, sumOfCells(sent)]];
    if (new Set(sent.map((value) => amountKey(value) ?? value)).size > 1) throw differentRows(parts, [name]);
    return [[name, sent[0]]];
  }
}

/** The fields that all rows of a payment have with one amount, which is not zero. */
function equalAmounts(parts: readonly Part[]): RepeatedField[] {
  return SUMS.filter((name) => {
    const amounts = new Set(parts.map(({ own }) => amountKey(own[name])));
    return amounts.size === 1 && !amounts.has(undefined) && !amounts.has('0.00');
  });
}

/** @throws ImportError */
function assertNoRepeats(parts: readonly Part[]): void {
  const [name] = equalAmounts(parts);
  if (name === undefined) return;
  throw new ImportError(
    `Nothing was recorded. The lines ${linesOf(parts)} are one payment, and have the same ${name}. Say in the mapping what it is. If ` +
      `each line shows the ${name} of the whole payment: "file": {"repeats": ["${name}"]}. If each line has its own, so that they are ` +
      'added up: "file": {"repeats": []}.',
  );
}

/** Equal for equal amounts; undefined if it is blank or none. */
function amountKey(value: unknown): string | undefined {
  const amount = readAmountOrZero(value, STORED_DECIMALS);
  return isFault(amount) ? undefined : amount.value;
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
