import type { Church } from '../../../config/index.js';
import { currencyInHeader } from '../../notations/index.js';
import { isZoneColumn, orderInHeader, zoneInHeader } from './header-dates.js';
import { AMBIGUOUS_FIELDS, foldColumn } from './field-names.js';
import type { FileFormat } from './file-format.js';
import { type Mapping, NO_MAPPING } from './mapping.js';
import type { UndecidedColumn } from './unusable-columns-error.js';

type Decision = Omit<UndecidedColumn, 'name'>;

/** The columns of a file, with the fields that are already assigned. */
interface ChosenColumns {
  readonly header: readonly string[];
  /** The field of each column; undefined for a column that is not read. */
  readonly fields: readonly (string | undefined)[];
  readonly mapping: Mapping;
  readonly church: ChurchOfFile;
}

/** The settings of the church that a file is compared with. */
export type ChurchOfFile = Pick<Church, 'timeZone' | 'currency' | 'slashDates'>;

/** A column's name in lower case, with letters and digits only: `Payment_Status.` is `paymentstatus`. */
type CompactName = string;

const PAYMENT =
  '(payment|transaction|txn|trans|trx|gift|donation|contribution|order|charge|record|entry|event|row|line|item)';
const GATEWAY = '(gateway|processor|authorization|auth)';
/** Words around a payment's outcome: `Was Successful`, `Not Paid`. */
const IS = '(is|was|has|been|not|yet)*';

/** Statuses of other things than the payment. */
const OTHER_STATUS =
  /(marital|member|membership|employment|email|phone|mailing|receipt|thankyou|acknowledge?ment)status/;

/** Names of columns that say whether a payment was successful and was not reversed. */
const OUTCOME = [
  /status|refund|charged?back|dispute|declin|fail|cancel|void|reversed|reversal|reject|returned|bounce|pending|livemode|sandbox/,
  /^return(date|reason|code|amount)$|^nsf/,
  /^(is)?test(mode|payment|transaction|gift|donation|charge)?$/,
  new RegExp(
    `^${IS}${PAYMENT}?${IS}(un)?(success|successful|succeeded|approval|approved|accepted|captured|authori[sz]ed|paid|settled|` +
      'cleared|completed?|deleted|expired|(on)?hold|held)$',
  ),
  new RegExp(`^(${PAYMENT}|${GATEWAY})?(result|outcome|response)(code|text|message|reason|type)?$`),
  // A payment mode is not included: it says how the giver paid.
  /^(api|gateway|processor|transaction)?(mode|environment)$/,
  new RegExp(`^${PAYMENT}state$`),
];
/** Names of columns that distinguish payments from refunds, fees and payouts. */
const KIND = [
  new RegExp(`^${PAYMENT}?(type|kind)(code|name|id)?$`),
  // Not a plain "category", or the category of a gift: these say what the gift is for.
  /^(reporting|accounting|balance|payment|transaction|txn|trans|trx|order|charge|record|entry|event|row|line)category(code|name|id)?$/,
  new RegExp(`^(${PAYMENT}|cash|money)?(direction|flow)$`),
  /^(balanceimpact|debitcredit|creditdebit|debitorcredit|drcr|crdr)$/,
];
const CURRENCY = /currency|^ccy|ccy(code|name|id)?$/;
const CITY = /^(billing|mailing|home|postal|street)?(address)?(city|town|suburb|municipality)$/;
const GROSS = /^(gross|total|original)(amount)?$|^amount(gross|total)$/;

const OWN_FIELD = new Map([...AMBIGUOUS_FIELDS].map((field) => [compact(field), field]));

/** The columns that can change the meaning of a row, and that are neither read nor ignored by the mapping. */
export function undecidedColumns(columns: ChosenColumns): UndecidedColumn[] {
  return columns.header.flatMap((name, index) => {
    const undecided = undecidedColumn(columns, index);
    return undecided === undefined ? [] : [{ name: name.trim(), ...undecided }];
  });
}

/** The message that stops an import before anything is recorded, with the lines for the mapping. */
export function messageOfUndecided(found: readonly UndecidedColumn[]): string {
  return [
    'Nothing was recorded. Some columns can change what a row means. For each, add one of these lines to the mapping:',
    ...found.flatMap(({ name, why, lines }) => [`  ${inJson(name)} ${why}`, ...lines.map((line) => `      ${line}`)]),
    `The mapping is the JSON file that --mapping names, such as {${exampleOf(found[0]?.lines ?? [])}}.`,
  ].join('\n');
}

/**
 * The columns about whose values the mapping has to decide, so that failed payments are not recorded.
 * @param columns the columns that are mapped already, by their names.
 */
export function undecidedNames(
  header: readonly string[],
  columns: Readonly<Record<string, unknown>>,
  church: ChurchOfFile,
): string[] {
  const chosen = { header, fields: header.map(() => undefined), mapping: NO_MAPPING, church };
  return header.filter((name) => !(name in columns) && undecidedPayment(chosen, name) !== undefined);
}

/** The line that ignores the column, which is the shortest, or else the first line. */
function exampleOf(lines: readonly string[]): string {
  return lines.find((each) => each.endsWith(': null')) ?? lines[0] ?? '';
}

function undecidedColumn(columns: ChosenColumns, index: number): Decision | undefined {
  const { header, fields, mapping } = columns;
  const name = header[index] ?? '';
  const field = fields[index];
  if (field === 'Date') return undecidedDate(columns, name);
  if (field === 'Amount') return undecidedAmount(columns, name);
  if (field !== undefined || isDecided(mapping, name)) return undefined;
  const own = offertoryFieldOf(name);
  if (own !== undefined) return fields.includes(own) ? undefined : undecidedField(own, name);
  return undecidedPayment(columns, name) ?? undecidedGross(columns, name) ?? undecidedTime(columns, name);
}

/** Whether the mapping names the column, or says which of its values are recorded. */
function isDecided({ columns, only, otherNames }: Mapping, name: string): boolean {
  const names = [foldColumn(name), otherNames.get(foldColumn(name)) ?? ''];
  return names.some((known) => columns.has(known) || only.has(known));
}

/** The field of Offertory that a column may be mistaken for, because other systems use the same name. */
function offertoryFieldOf(name: string): string | undefined {
  const word = compact(name);
  return OWN_FIELD.get(word) ?? (CURRENCY.test(word) ? 'Currency' : undefined);
}

/** Call it only if no column is read as that field; otherwise the mapping ignores this column on purpose. */
function undecidedField(field: string, name: string): Decision {
  const why =
    field === 'Currency'
      ? 'can say that amounts are in another currency. Read it (rows in another currency are refused), or ignore it:'
      : `can hold another system's ids. Read it as the ${field} of Offertory, or ignore it:`;
  return { why, lines: [line(name, field), line(name, null)] };
}

function undecidedPayment({ header }: ChosenColumns, name: string): Decision | undefined {
  const word = compact(name);
  const lines = [line(name, null)];
  const isOutcome = OUTCOME.some((pattern) => pattern.test(word)) && !OTHER_STATUS.test(word);
  // In an address, "state" is a place.
  const isState = word === 'state' && !header.some((other) => CITY.test(compact(other)));
  if (isOutcome || isState) {
    return { why: `can say that a payment failed, is pending or was taken back. ${REMOVE_FIRST}`, lines };
  }
  if (!KIND.some((pattern) => pattern.test(word))) return undefined;
  return { why: `can say that a row is a refund, a fee or a payout. ${REMOVE_FIRST}`, lines };
}

const REMOVE_FIRST = 'List the values of gifts in "only"; or remove the other rows from the file, then ignore it:';

/** Applies if a column is read as Amount only by its name, and another column may be the amount that the giver paid. */
function undecidedGross({ header, fields, mapping }: ChosenColumns, name: string): Decision | undefined {
  const amount = header[fields.indexOf('Amount')];
  if (!GROSS.test(compact(name)) || amount === undefined || mapping.columns.has(foldColumn(amount))) return undefined;
  const why = 'can be the amount before fees. Read it as the gift, or ignore it:';
  return { why, lines: [`${line(name, 'Amount')}, ${line(amount, null)}`, line(name, null)] };
}

function undecidedTime({ fields, mapping }: ChosenColumns, name: string): Decision | undefined {
  if (isZoneColumn(compact(name))) {
    if (mapping.file.timeZone !== undefined) return undefined;
    const why = 'can say that times are not church time. Name the time zone of the file, or ignore the column:';
    return { why, lines: [fileLine(mapping, { timeZone: 'America/Chicago' }), line(name, null)] };
  }
  const zone = zoneInHeader(name);
  if (zone === undefined) return undefined;
  const asDate = `${line(name, 'Date')}, ${fileLine(mapping, { timeZone: zone })}`;
  return {
    why: 'holds times of a time zone. Read it as the date of the gift, or ignore it:',
    lines: [...(fields.includes('Date') ? [] : [asDate]), line(name, null)],
  };
}

/** A column that is read as Date and names a time zone, or an order of dates that differs from the church's. */
function undecidedDate({ mapping, church }: ChosenColumns, name: string): Decision | undefined {
  const timeZone = mapping.file.timeZone === undefined ? zoneInHeader(name) : undefined;
  const order = mapping.file.dates === undefined ? orderInHeader(name) : undefined;
  const dates = order === undefined || order === church.slashDates ? {} : { dates: order };
  if (timeZone !== undefined) {
    const zones = [...new Set([timeZone, church.timeZone])];
    const beginning =
      'is read as Date, and names a time zone. Times without an offset would count as church time. Name the zone';
    const why =
      zones.length === 1
        ? `${beginning}:`
        : `${beginning} (first line). If you have imported these rows before without a zone, name the church's (second line), or they may count as other gifts:`;
    return { why, lines: zones.map((zone) => fileLine(mapping, { ...dates, timeZone: zone })) };
  }
  if (dates.dates === undefined) return undefined;
  const ours = church.slashDates === undefined ? 'would be refused' : `would be read as ${church.slashDates}`;
  return {
    why: `is read as Date, and names an order of dates. Dates with slashes ${ours}. Name the order:`,
    lines: [fileLine(mapping, dates)],
  };
}

/** A column that is read as Amount and names a currency that differs from the church's. */
function undecidedAmount({ fields, mapping, church }: ChosenColumns, name: string): Decision | undefined {
  const named = currencyInHeader(name);
  if (named === undefined || named.currencies.includes(church.currency)) return undefined;
  // With a Currency field, each row is checked, and rows in another currency are refused.
  if (fields.includes('Currency') || 'Currency' in mapping.defaults) return undefined;
  const { currency: Currency } = church;
  const why =
    `is read as Amount, and names ${named.text}; this church takes ${Currency}. Convert the amounts and rename the ` +
    `column. If they are in ${Currency} all the same, say so:`;
  const mayLack = Object.fromEntries([...mapping.mayLack].map((contact) => [contact, null]));
  return { why, lines: [`"defaults": ${inJson({ ...mapping.defaults, ...mayLack, Currency })}`] };
}

function line(name: string, field: string | null): string {
  return `${inJson(name.trim())}: ${JSON.stringify(field)}`;
}

/** The line for "file", including what the mapping already has there. */
function fileLine({ file }: Mapping, added: FileFormat): string {
  return `"file": ${inJson({ ...file, ...added })}`;
}

/** The value as JSON without control characters, which a terminal would obey. */
function inJson(value: string | object): string {
  return JSON.stringify(value).replace(/\p{Cc}/gu, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function compact(name: string): CompactName {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}
