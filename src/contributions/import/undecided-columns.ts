import { foldColumn, type Mapping, READ_ONLY_WHEN_MAPPED } from './mapping.js';
import { isZoneColumn, zoneInHeader } from './header-zone.js';

/** A column that can change what a row means, and that the mapping says nothing about. */
interface UndecidedColumn {
  /** What the column can say, as a sentence that follows its name. */
  readonly why: string;
  /** Lines for the mapping; each of them settles it. */
  readonly lines: readonly string[];
}

/** The columns of a file, and what is known about them so far. */
interface ChosenColumns {
  readonly header: readonly string[];
  /** The field of each column, undefined for one that is not read. */
  readonly fields: readonly (string | undefined)[];
  readonly mapping: Mapping;
}

/** Name of a column without letter case, spaces, underscores, quotes and full stops: `Payment_Status.` is `paymentstatus`. */
type CompactName = string;

const PAYMENT =
  '(payment|transaction|txn|trans|trx|gift|donation|contribution|order|charge|record|entry|event|row|line|item)';
const GATEWAY = '(payment|transaction|gateway|processor|authorization|auth)';

/** Statuses of somebody or something else than the payment. */
const OTHER_STATUS =
  /(marital|member|membership|employment|email|phone|mailing|receipt|thankyou|acknowledge?ment)status/;

/** Names that say whether a payment went through and still stands. */
const OUTCOME = [
  /status|refund|charged?back|dispute|declin|fail|cancel|void|reversed|reversal|returned|bounce|pending|livemode/,
  /^return(date|reason|code|amount)$|^nsf/,
  /^(is)?test(mode|payment|transaction|gift|donation|charge)?$/,
  /^(is)?(success|successful|succeeded|approved|captured|authori[sz]ed|paid|settled|cleared|completed?|deleted)$/,
  new RegExp(`^${GATEWAY}?(result|outcome|response)(code|text|message|reason)?$`),
  new RegExp(`^${PAYMENT}state$`),
];
/** Names that tell payments from refunds, fees and payouts. */
const KIND = [
  new RegExp(`^${PAYMENT}?type(code|name|id)?$`),
  /^(balanceimpact|debitcredit|creditdebit|debitorcredit|drcr|crdr)$/,
];
const CURRENCY = /currency|^ccy$/;
const CITY = /^(billing|mailing|home|postal|street)?(address)?(city|town|suburb|municipality)$/;
const GROSS = /^(gross|total|original)(amount)?$|^amount(gross|total)$/;

const OWN_FIELD = new Map([...READ_ONLY_WHEN_MAPPED].map((field) => [compact(field), field]));

/**
 * What stops an import before anything is recorded: columns that can change what a row means, are not read, and are
 * not ignored on purpose. In words, with the lines of the mapping that settle it; undefined where there are none.
 */
export function undecidedColumns(columns: ChosenColumns): string | undefined {
  const found = columns.header.flatMap((name, index) => {
    const undecided = undecidedColumn(columns, index);
    return undecided === undefined ? [] : [{ name: name.trim(), ...undecided }];
  });
  if (found.length === 0) return undefined;
  return [
    'Nothing was recorded. Some columns can change what a row means. For each, add one of these lines to the mapping:',
    ...found.flatMap(({ name, why, lines }) => [`  ${inJson(name)} ${why}`, ...lines.map((line) => `      ${line}`)]),
    `The mapping is the JSON file that --mapping names, such as {${found[0]?.lines.at(-1) ?? ''}}.`,
  ].join('\n');
}

function undecidedColumn(columns: ChosenColumns, index: number): UndecidedColumn | undefined {
  const { header, fields, mapping } = columns;
  const name = header[index] ?? '';
  const field = fields[index];
  const zone = zoneInHeader(name);
  if (field === 'Date' && zone !== undefined)
    return mapping.file.timeZone === undefined ? dateOfZone(zone, mapping) : undefined;
  if (field !== undefined || mapping.columns.has(foldColumn(name))) return undefined;
  const own = ownFieldOf(name);
  if (own !== undefined) return fields.includes(own) ? undefined : ownField(own, name);
  return aboutPayment(columns, name) ?? aboutAmount(columns, name) ?? aboutTime(columns, name, zone);
}

/** The field of ours that a column may be taken for, whose name another system uses as well. */
function ownFieldOf(name: string): string | undefined {
  const word = compact(name);
  return OWN_FIELD.get(word) ?? (CURRENCY.test(word) ? 'Currency' : undefined);
}

/** Where no other column is that field: then this one is left out knowingly. */
function ownField(field: string, name: string): UndecidedColumn {
  const why =
    field === 'Currency'
      ? 'can say that amounts are in another currency. Read it (rows in another currency are refused), or ignore it:'
      : `can hold another system's ids. Read it as the ${field} of Offertory, or ignore it:`;
  return { why, lines: [line(name, field), line(name, null)] };
}

function aboutPayment({ header }: ChosenColumns, name: string): UndecidedColumn | undefined {
  const word = compact(name);
  const lines = [line(name, null)];
  const isOutcome = OUTCOME.some((pattern) => pattern.test(word)) && !OTHER_STATUS.test(word);
  // In an address it is the state of the city.
  const isState = word === 'state' && !header.some((other) => CITY.test(compact(other)));
  if (isOutcome || isState) {
    return { why: `can say that a payment failed, is pending or was taken back. ${REMOVE_FIRST}`, lines };
  }
  if (!KIND.some((pattern) => pattern.test(word))) return undefined;
  return { why: `can say that a row is a refund, a fee or a payout. ${REMOVE_FIRST}`, lines };
}

const REMOVE_FIRST = 'Remove the rows that are not gifts from the file, then ignore it:';

/** Where `Amount` was taken for its name, and another column may be what the giver has given. */
function aboutAmount({ header, fields, mapping }: ChosenColumns, name: string): UndecidedColumn | undefined {
  const amount = header[fields.indexOf('Amount')];
  if (!GROSS.test(compact(name)) || amount === undefined || mapping.columns.has(foldColumn(amount))) return undefined;
  const why = 'can be the amount before fees. Read it as the gift, or ignore it:';
  return { why, lines: [`${line(name, 'Amount')}, ${line(amount, null)}`, line(name, null)] };
}

function aboutTime(
  { fields, mapping }: ChosenColumns,
  name: string,
  zone: string | undefined,
): UndecidedColumn | undefined {
  if (isZoneColumn(compact(name))) {
    if (mapping.file.timeZone !== undefined) return undefined;
    const why = 'can say that times are not church time. Name the time zone of the file, or ignore the column:';
    return { why, lines: [fileLine(mapping, 'America/Chicago'), line(name, null)] };
  }
  if (zone === undefined) return undefined;
  const asDate = `${line(name, 'Date')}, ${fileLine(mapping, zone)}`;
  return {
    why: 'holds times of a time zone. Read it as the date of the gift, or ignore it:',
    lines: [...(fields.includes('Date') ? [] : [asDate]), line(name, null)],
  };
}

function dateOfZone(zone: string, mapping: Mapping): UndecidedColumn {
  return {
    why: 'is read as Date, and names a time zone. Times without an offset would count as church time. Name the zone:',
    lines: [fileLine(mapping, zone)],
  };
}

function line(name: string, field: string | null): string {
  return `${inJson(name.trim())}: ${JSON.stringify(field)}`;
}

/** With what the mapping says of the file already. */
function fileLine({ file }: Mapping, timeZone: string): string {
  return `"file": ${JSON.stringify({ ...file, timeZone })}`;
}

/** As a string of JSON in which nothing is left that a terminal would obey. */
function inJson(text: string): string {
  return JSON.stringify(text).replace(/\p{Cc}/gu, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function compact(name: string): CompactName {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}
