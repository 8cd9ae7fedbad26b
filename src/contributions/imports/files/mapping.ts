import { readJsonObject } from '../../../http/index.js';
import { NAME_ORDERS, type NameOrder } from '../cells/cell-name.js';
import { ImportError, quoted } from '../import-error.js';
import { allFields, canHaveDefault, fieldNamed, foldColumn, WHOLE_NAME } from './field-names.js';
import { type FileFormat, readFileFormat } from './file-format.js';

/** Assigns the columns of a file to fields of AddContribution if they have other names. */
export interface Mapping {
  /** By the folded name of the column. */
  readonly columns: ReadonlyMap<string, MappedColumn>;
  /** Default values by field, for rows in which the field is blank. */
  readonly defaults: Readonly<Record<string, string | number | boolean>>;
  /** Required fields that a row may lack: Email or Phone, if the default is null. */
  readonly mayLack: ReadonlySet<string>;
  readonly file: FileFormat;
  /** Which rows are recorded: the values of columns, by the folded name of the column. All must be met. */
  readonly only: RowConditions;
  /** Which rows take gifts back, in the same form. One is enough. */
  readonly refunds: RowConditions;
  /** Which rows are left out. Of these columns, a value that is in no list is refused. */
  readonly leaveOut: RowConditions;
  /** Which gifts were lost in a dispute: their DisputedAmount is taken back. */
  readonly lost: RowConditions;
  /** Folded names of columns that the file may lack. A mapping of a user has none. */
  readonly optional: ReadonlySet<string>;
  /** Other names of columns, and their names in the mapping, folded. A mapping of a user has none. */
  readonly otherNames: ReadonlyMap<string, string>;
}

/** The JSON object of a mapping. */
export type MappingObject = Readonly<Record<string, unknown>>;

/** Conditions by the folded name of the column. */
export type RowConditions = ReadonlyMap<string, ValuesOfColumn>;

/** The values of a column that a condition accepts. */
export interface ValuesOfColumn {
  /** As spelled in the mapping. */
  readonly name: string;
  /** Folded like names of columns. */
  readonly values: ReadonlySet<string>;
}

interface MappedColumn {
  /** As spelled in the mapping. */
  readonly name: string;
  /** Undefined if the mapping ignores the column. */
  readonly field: string | undefined;
  /** Of a column that holds the whole name. */
  readonly nameOrder?: NameOrder;
}

/** The mapping of a file whose columns are named like the fields. */
export const NO_MAPPING: Mapping = {
  columns: new Map(),
  defaults: {},
  mayLack: new Set(),
  file: {},
  only: new Map(),
  refunds: new Map(),
  leaveOut: new Map(),
  lost: new Map(),
  optional: new Set(),
  otherNames: new Map(),
};

/** The keys of a mapping that are conditions. */
const CONDITIONS = ['only', 'refunds', 'leaveOut', 'lost'] as const;

type ConditionKey = (typeof CONDITIONS)[number];

/** The keys that are no columns, if their values are objects. */
export const SPECIAL_KEYS: readonly string[] = ['defaults', 'file', ...CONDITIONS];

/** The contacts of a giver, which a mapping may allow to be missing. */
const CONTACTS = ['Email', 'Phone'];

/**
 * Reads `{"Column": "Field", "Column to ignore": null, "Donor": {"name": "Last, First"}, "defaults": {"FundId": 2},
 * "file": {"dates": "D/M/Y"}, "only": {"Status": ["Paid"]}, "refunds": {"Status": ["Refunded"]},
 * "leaveOut": {"Status": ["Failed"]}, "lost": {"Dispute": ["lost"]}}`.
 * @throws ImportError with all faults
 * @throws ExpectedError if it is not a JSON object.
 */
export function readMapping(bytes: Buffer): Mapping {
  return mappingOf(readMappingObject(bytes));
}

/** Reads the JSON object of a mapping. @throws ExpectedError */
export function readMappingObject(bytes: Buffer): MappingObject {
  return readJsonObject(bytes, 'The mapping', 2);
}

/** The mapping that a JSON object describes. @throws ImportError with all faults */
export function mappingOf(content: MappingObject): Mapping {
  const faults: string[] = [];
  const columns = new Map<string, MappedColumn>();
  let mapping: Mapping = { ...NO_MAPPING, columns };
  for (const [name, value] of Object.entries(content)) {
    // A column may have one of these names. Its value is then the name of a field.
    if (name === 'defaults' && isObject(value)) mapping = { ...mapping, ...readDefaults(value, faults) };
    else if (name === 'file' && isObject(value)) mapping = { ...mapping, file: readFileFormat(value, faults) };
    else if (isConditionKey(name) && isObject(value))
      mapping = { ...mapping, [name]: readConditions(name, value, faults) };
    else if (columns.has(foldColumn(name))) faults.push(`it names the column ${quoted(name)} twice`);
    else columns.set(foldColumn(name), readColumn(name, value, columns, faults));
  }
  faults.push(...faultsBetween(mapping));
  if (faults.length > 0)
    throw new ImportError(`The mapping cannot be used: ${faults.join('; ')}. Fields are ${allFields().join(', ')}.`);
  return mapping;
}

function readColumn(
  name: string,
  value: unknown,
  columns: ReadonlyMap<string, MappedColumn>,
  faults: string[],
): MappedColumn {
  if (value === null) return { name, field: undefined };
  if (isObject(value)) return readWholeName(name, value, columns, faults);
  const field = typeof value === 'string' ? fieldNamed(value) : undefined;
  if (field === undefined) {
    faults.push(`${quoted(name)} must be the name of a field, or null to ignore the column`);
    return { name, field };
  }
  assertOnce(name, field, columns, faults);
  return { name, field };
}

function readWholeName(
  name: string,
  value: object,
  columns: ReadonlyMap<string, MappedColumn>,
  faults: string[],
): MappedColumn {
  const [entry, ...others] = Object.entries(value) as [string, unknown][];
  const order = NAME_ORDERS.find((known) => known === entry?.[1]);
  if (entry?.[0] !== 'name' || order === undefined || others.length > 0) {
    const orders = NAME_ORDERS.map((known) => JSON.stringify(known)).join(' or ');
    faults.push(`${quoted(name)} must be the name of a field, null to ignore the column, or {"name": ${orders}}`);
    return { name, field: undefined };
  }
  assertOnce(name, WHOLE_NAME, columns, faults);
  return { name, field: WHOLE_NAME, nameOrder: order };
}

function assertOnce(name: string, field: string, columns: ReadonlyMap<string, MappedColumn>, faults: string[]): void {
  const other = [...columns.values()].find((mapped) => mapped.field === field);
  if (other !== undefined) faults.push(`${quoted(other.name)} and ${quoted(name)} are both ${field}`);
}

function readDefaults(value: object, faults: string[]): Pick<Mapping, 'defaults' | 'mayLack'> {
  const defaults: Record<string, string | number | boolean> = {};
  const mayLack = new Set<string>();
  for (const [name, content] of Object.entries(value) as [string, unknown][]) {
    const field = fieldNamed(name);
    if (field === undefined || field in defaults || mayLack.has(field))
      faults.push(`the default ${quoted(name)} is not a field, or is given twice`);
    else if (!canHaveDefault(field)) faults.push(`${field} differs for each gift and cannot have a default`);
    else if (content === null && CONTACTS.includes(field)) mayLack.add(field);
    else if (typeof content === 'string' || typeof content === 'number' || typeof content === 'boolean')
      defaults[field] = content;
    else faults.push(`the default of ${field} must be text, a number, true or false`);
  }
  return { defaults, mayLack };
}

function isConditionKey(name: string): name is ConditionKey {
  return CONDITIONS.some((key) => key === name);
}

/** Each column of `leaveOut` and `lost` needs the values of gifts, and a value has one meaning. */
function faultsBetween({ only, refunds, leaveOut, lost }: Mapping): string[] {
  const without = [...leaveOut, ...lost].filter(([column]) => !only.has(column)).map(([, { name }]) => quoted(name));
  const twice = [...leaveOut].flatMap(([column, { name, values }]) =>
    [only, refunds, lost].some((other) => [...(other.get(column)?.values ?? [])].some((value) => values.has(value)))
      ? [quoted(name)]
      : [],
  );
  return [
    ...(without.length > 0 ? [`${without.join(', ')} must be in "only" as well, with the values of gifts`] : []),
    ...(twice.length > 0 ? [`${twice.join(', ')} of "leaveOut" has values that another list has, too`] : []),
  ];
}

function readConditions(key: ConditionKey, value: object, faults: string[]): RowConditions {
  const conditions = new Map<string, ValuesOfColumn>();
  for (const [name, content] of Object.entries(value) as [string, unknown][]) {
    const isList = Array.isArray(content) && content.every((each) => typeof each === 'string');
    // Without any value to leave out, all other values are refused.
    if (isList && (content.length > 0 || key === 'leaveOut'))
      conditions.set(foldColumn(name), { name, values: new Set(content.map(foldColumn)) });
    else faults.push(`${quoted(name)} of "${key}" must be a list of texts, such as ["Refunded"]`);
  }
  return conditions;
}

/** Whether a value of a mapping is an object, and no list. */
export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
