import { isBlank } from '../../../values/index.js';
import { foldColumn } from '../files/field-names.js';
import type { MappingObject } from '../files/mapping.js';
import { type ChurchOfFile, undecidedNames } from '../files/undecided-columns.js';
import { mappingOfFormat } from '../formats/combine-mappings.js';
import type { Format } from '../formats/format.js';
import { quoted } from '../import-error.js';
import { guessAmounts, guessDates, guessStatus } from './guess-values.js';
import { probableField } from './known-columns.js';

/** A table to map. */
interface Table {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly church: ChurchOfFile;
  /** Set if the file is an export that is known. */
  readonly format: Format | undefined;
  /** What is known for the key `file` already. */
  readonly file: Readonly<Record<string, unknown>>;
}

/** A mapping, and what a person should check. */
interface Proposal {
  readonly mapping: MappingObject;
  readonly remarks: readonly string[];
}

/** Proposes a mapping for a table, by the names and the values of its columns. */
export function proposeMapping(table: Table): Proposal {
  const remarks: string[] = [];
  const columns = table.format === undefined ? proposeColumns(table, remarks) : {};
  const conditions = table.format === undefined ? proposeConditions(table, columns, remarks) : {};
  const file = { ...table.file, ...notations(table, columns, remarks) };
  const mapping = { ...columns, ...conditions, ...(Object.keys(file).length > 0 && { file }) };
  return { mapping, remarks };
}

function proposeColumns({ header, rows }: Table, remarks: string[]): Record<string, unknown> {
  const columns: Record<string, unknown> = {};
  const taken = new Set<string>();
  const fields = header.map(probableField);
  for (const [index, name] of header.entries()) {
    const field = fields[index];
    const isPart = field === 'name' && fields.includes('First') && fields.includes('Last');
    if (field === undefined || taken.has(field) || isPart || isBlank(name)) continue;
    taken.add(field);
    if (field !== 'name') columns[name] = field;
    else columns[name] = { name: rows.some((row) => row[index]?.includes(',')) ? 'Last, First' : 'First Last' };
  }
  const date = taken.has('Date')
    ? undefined
    : header.find((name) => /\b(date|day)\b/i.test(name) && !(name in columns));
  if (date !== undefined) {
    columns[date] = 'Date';
    taken.add('Date');
  }
  const missing = ['Amount', 'Date'].filter((field) => !taken.has(field));
  if (missing.length > 0) remarks.push(`No column seems to be ${missing.join(' or ')}: name it in the mapping.`);
  return { ...columns, ...proposeDefaults(taken, remarks) };
}

/** Rows may lack a contact for which the file has no column. */
function proposeDefaults(taken: ReadonlySet<string>, remarks: string[]): Record<string, unknown> {
  const missing = ['Email', 'Phone'].filter((contact) => !taken.has(contact));
  if (missing.length === 2) remarks.push('No column seems to be Email or Phone: import it with --without-contacts.');
  return missing.length === 1 ? { defaults: Object.fromEntries(missing.map((contact) => [contact, null])) } : {};
}

/** Conditions for the columns that say whether a payment was successful. Other columns that matter remain undecided. */
function proposeConditions(
  { header, rows, church }: Table,
  columns: Record<string, unknown>,
  remarks: string[],
): Record<string, unknown> {
  const only: Record<string, readonly string[]> = {};
  const refunds: Record<string, readonly string[]> = {};
  const leaveOut: Record<string, readonly string[]> = {};
  for (const name of undecidedNames(header, columns, church)) {
    const index = header.indexOf(name);
    const status = guessStatus(rows.map((row) => row[index] ?? ''));
    if (status === undefined) continue;
    only[name] = status.recorded;
    leaveOut[name] = status.others;
    if (status.takenBack.length > 0) refunds[name] = status.takenBack;
    const others = status.others.map(quoted).join(', ');
    if (others !== '') remarks.push(`Rows whose ${quoted(name)} is ${others} are left out: check that none is a gift.`);
  }
  return {
    ...(Object.keys(only).length > 0 && { only }),
    ...(Object.keys(refunds).length > 0 && { refunds }),
    ...(Object.keys(leaveOut).length > 0 && { leaveOut }),
  };
}

/** The notations of dates and amounts, as far as the format does not know them. */
function notations(
  { header, rows, church, format }: Table,
  columns: Record<string, unknown>,
  remarks: string[],
): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  const cellsOf = (field: string): string[] => {
    const index = indexOfField(header, columns, format, field);
    return index < 0 ? [] : rows.map((row) => row[index] ?? '');
  };
  const known = format === undefined ? {} : mappingOfFormat(format).file;
  const dates = known.dates === undefined ? guessDates(cellsOf('Date'), church.slashDates) : { kind: 'plain' as const };
  if (dates.kind === 'certain') found['dates'] = dates.value;
  if (dates.kind === 'unclear')
    remarks.push(
      `Dates such as ${quoted(dates.example)} can be of two orders. Without "file": {"dates": "D/M/Y"} they are ` +
        `${church.slashDates === undefined ? 'refused' : `read as ${church.slashDates}`}.`,
    );
  const amounts =
    known.amounts === undefined ? guessAmounts(cellsOf('Amount'), church.currency) : { kind: 'plain' as const };
  if (amounts.kind === 'certain') found['amounts'] = amounts.value;
  if (amounts.kind === 'unclear')
    remarks.push(
      `Amounts such as ${quoted(amounts.example)} can be read in two ways, or in none. Name it: "file": {"amounts": "1,234.56"} ` +
        'or "1.234,56".',
    );
  return found;
}

function indexOfField(
  header: readonly string[],
  columns: Readonly<Record<string, unknown>>,
  format: Format | undefined,
  field: string,
): number {
  if (format === undefined) return header.findIndex((name) => columns[name] === field);
  const mapping = mappingOfFormat(format);
  return header.findIndex((name) => {
    const folded = foldColumn(name);
    const known = mapping.columns.get(folded) ?? mapping.columns.get(mapping.otherNames.get(folded) ?? '');
    return known?.field === field;
  });
}
