import { IANAZone } from 'luxon';
import type { SlashDates } from '../../../values/index.js';
import { fieldsOf, readJsonObject } from '../../../http/index.js';
import { ImportError, quoted } from '../import-error.js';
import { normalizeText } from '../../../values/index.js';
import { AddContributionRequest } from '../../gifts/index.js';

/** Assigns the columns of a file to fields of AddContribution if they have other names. */
export interface Mapping {
  /** By the folded name of the column. */
  readonly columns: ReadonlyMap<string, MappedColumn>;
  /** Default values by field, for rows in which the field is blank. */
  readonly defaults: Readonly<Record<string, string | number | boolean>>;
  readonly file: FileFormat;
  /** Which rows take gifts back: the values of columns, by the folded name of the column. */
  readonly refunds: ReadonlyMap<string, RefundColumn>;
}

/** A column whose value says that a row takes a gift back. */
export interface RefundColumn {
  /** As spelled in the mapping. */
  readonly name: string;
  /** Folded like names of columns. */
  readonly values: ReadonlySet<string>;
}

/** How a file writes dates. */
export interface FileFormat {
  /** The order of dates with slashes. The default is the church's. */
  readonly dates?: SlashDates;
  /** The time zone (IANA name) of times without an offset. The default is the church's. */
  readonly timeZone?: string;
}

const SLASH_DATES: readonly SlashDates[] = ['M/D/Y', 'D/M/Y'];

interface MappedColumn {
  /** As spelled in the mapping. */
  readonly name: string;
  /** Undefined if the mapping ignores the column. */
  readonly field: string | undefined;
}

/** The mapping of a file whose columns are named like the fields. */
export const NO_MAPPING: Mapping = { columns: new Map(), defaults: {}, file: {}, refunds: new Map() };

/**
 * Fields of which other systems have columns with the same name and another meaning: their ids would assign the gift to a
 * wrong person or fund. The mapping must say whether such a column is read.
 */
export const AMBIGUOUS_FIELDS: ReadonlySet<string> = new Set([
  'FundId',
  'PeopleId',
  'BundleTypeId',
  'ContributionTypeId',
  'Currency',
]);

/** A field of refunds only. */
const REFUND_ID = 'RefundId';

/** Fields that imports of earlier releases ignored. A column with such a name is read only if the mapping says so. */
const ADDED_FIELDS: ReadonlySet<string> = new Set(['Method', 'CheckNumber', 'Fee', 'PayoutId', 'FundName', REFUND_ID]);

/** Whether a field is read only from a column that the mapping names. */
export function isReadOnlyWhenMapped(field: string): boolean {
  return AMBIGUOUS_FIELDS.has(field) || ADDED_FIELDS.has(field);
}

/** Of gifts and refunds. A row has one amount and one fund, so it cannot have Splits. */
const FIELDS: ReadonlyMap<string, string> = new Map(
  [...fieldsOf(AddContributionRequest), { name: REFUND_ID }]
    .filter(({ name }) => name !== 'Splits')
    .map(({ name }) => [foldColumn(name), name]),
);

/** Folds a column's name for comparison: it ignores letter case and surrounding white space. */
export function foldColumn(name: string): string {
  return normalizeText(name).toLowerCase();
}

/** The field with this name in any letter case, spelled as in AddContribution. */
export function fieldNamed(name: string): string | undefined {
  return FIELDS.get(foldColumn(name));
}

/**
 * Reads `{"Column": "Field", "Column to ignore": null, "defaults": {"FundId": 2}, "file": {"dates": "D/M/Y"},
 * "refunds": {"Status": ["Refunded"]}}`.
 * @throws ImportError with all faults
 * @throws ExpectedError if it is not a JSON object.
 */
export function readMapping(bytes: Buffer): Mapping {
  const entries = Object.entries(readJsonObject(bytes, 'The mapping', 2));
  const faults: string[] = [];
  const columns = new Map<string, MappedColumn>();
  let defaults: Mapping['defaults'] = {};
  let file: FileFormat = {};
  let refunds: Mapping['refunds'] = new Map();
  for (const [name, value] of entries) {
    // A column may have one of these names. Its value is then the name of a field.
    if (name === 'defaults' && isObject(value)) defaults = readDefaults(value, faults);
    else if (name === 'file' && isObject(value)) file = readFileFormat(value, faults);
    else if (name === 'refunds' && isObject(value)) refunds = readRefunds(value, faults);
    else if (columns.has(foldColumn(name))) faults.push(`it names the column ${quoted(name)} twice`);
    else columns.set(foldColumn(name), { name, field: readField(name, value, columns, faults) });
  }
  if (faults.length > 0) throw new ImportError(`The mapping cannot be used: ${faults.join('; ')}. ${allFields()}`);
  return { columns, defaults, file, refunds };
}

function readField(
  column: string,
  value: unknown,
  columns: ReadonlyMap<string, MappedColumn>,
  faults: string[],
): string | undefined {
  if (value === null) return undefined;
  const field = typeof value === 'string' ? fieldNamed(value) : undefined;
  if (field === undefined) {
    faults.push(`${quoted(column)} must be the name of a field, or null to ignore the column`);
    return undefined;
  }
  const other = [...columns.values()].find((mapped) => mapped.field === field);
  if (other !== undefined) faults.push(`${quoted(other.name)} and ${quoted(column)} are both ${field}`);
  return field;
}

function readDefaults(value: object, faults: string[]): Mapping['defaults'] {
  const defaults: Record<string, string | number | boolean> = {};
  for (const [name, content] of Object.entries(value) as [string, unknown][]) {
    const field = fieldNamed(name);
    if (field === undefined || field in defaults)
      faults.push(`the default ${quoted(name)} is not a field, or is given twice`);
    else if (field === 'TransactionId') faults.push('TransactionId differs for each gift and cannot have a default');
    else if (typeof content === 'string' || typeof content === 'number' || typeof content === 'boolean')
      defaults[field] = content;
    else faults.push(`the default of ${field} must be text, a number, true or false`);
  }
  return defaults;
}

function readRefunds(value: object, faults: string[]): Mapping['refunds'] {
  const refunds = new Map<string, RefundColumn>();
  for (const [name, content] of Object.entries(value) as [string, unknown][]) {
    const isList = Array.isArray(content) && content.length > 0 && content.every((each) => typeof each === 'string');
    if (isList) refunds.set(foldColumn(name), { name, values: new Set(content.map(foldColumn)) });
    else faults.push(`${quoted(name)} of "refunds" must be a list of texts, such as ["Refunded"]`);
  }
  return refunds;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function readFileFormat(value: object, faults: string[]): FileFormat {
  const format: { dates?: SlashDates; timeZone?: string } = {};
  for (const [name, content] of Object.entries(value) as [string, unknown][]) {
    if (name === 'dates') {
      const order = SLASH_DATES.find((known) => known === content);
      if (order === undefined) faults.push(`"dates" of "file" must be ${SLASH_DATES.join(' or ')}`);
      else format.dates = order;
    } else if (name === 'timeZone') {
      if (typeof content === 'string' && IANAZone.isValidZone(content)) format.timeZone = content;
      else faults.push('"timeZone" of "file" must be an IANA name, such as UTC or America/Chicago');
    } else faults.push(`"file" has an unknown key ${quoted(name)} (known are dates and timeZone)`);
  }
  return format;
}

function allFields(): string {
  return `Fields are ${[...FIELDS.values()].join(', ')}.`;
}
