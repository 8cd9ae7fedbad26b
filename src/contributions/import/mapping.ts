import { fieldsOf, normalizeText, readJsonObject } from '../../http/index.js';
import { AddContributionRequest } from '../dto/add-contribution.request.js';
import { ImportError, quoted } from './import-error.js';

/** Which column of a file is which field of AddContribution, where their names do not tell. */
export interface Mapping {
  /** By the folded name of the column; undefined for one that is left out on purpose. */
  readonly columns: ReadonlyMap<string, MappedColumn>;
  /** By field: what it is for rows that have nothing there. */
  readonly defaults: Readonly<Record<string, string | number | boolean>>;
}

interface MappedColumn {
  /** As the mapping spells it. */
  readonly name: string;
  readonly field: string | undefined;
}

/** The mapping of a file whose columns are named like the fields. */
export const NO_MAPPING: Mapping = { columns: new Map(), defaults: {} };

const FIELDS: ReadonlyMap<string, string> = new Map(
  fieldsOf(AddContributionRequest).map(({ name }) => [foldColumn(name), name]),
);

/** Names of columns are the same in any letter case, and whatever space is around them. */
export function foldColumn(name: string): string {
  return normalizeText(name).toLowerCase();
}

/** The field of that name in any letter case, as AddContribution spells it. */
export function fieldNamed(name: string): string | undefined {
  return FIELDS.get(foldColumn(name));
}

/**
 * Reads `{"Column in the file": "Field", "Column to leave out": null, "defaults": {"FundId": 2}}`.
 * @throws ImportError with all that is wrong; ExpectedError for what is no JSON object.
 */
export function readMapping(bytes: Buffer): Mapping {
  const entries = Object.entries(readJsonObject(bytes, 'The mapping', 2));
  const faults: string[] = [];
  const columns = new Map<string, MappedColumn>();
  let defaults: Mapping['defaults'] = {};
  for (const [name, value] of entries) {
    // A column may bear this name: then its value is a field's name.
    if (name === 'defaults' && typeof value === 'object' && value !== null) defaults = readDefaults(value, faults);
    else if (columns.has(foldColumn(name))) faults.push(`it names the column ${quoted(name)} twice`);
    else columns.set(foldColumn(name), { name, field: readField(name, value, columns, faults) });
  }
  if (faults.length > 0) throw new ImportError(`The mapping cannot be used: ${faults.join('; ')}. ${allFields()}`);
  return { columns, defaults };
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
    faults.push(`${quoted(column)} must be the name of a field, or null to leave the column out`);
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
    if (field === undefined || field in defaults) faults.push(`no other field is the default ${quoted(name)}`);
    else if (field === 'TransactionId') faults.push('TransactionId is another one for each gift, and has no default');
    else if (typeof content === 'string' || typeof content === 'number' || typeof content === 'boolean')
      defaults[field] = content;
    else faults.push(`the default of ${field} must be text, a number, true or false`);
  }
  return defaults;
}

function allFields(): string {
  return `Fields are ${[...FIELDS.values()].join(', ')}.`;
}
