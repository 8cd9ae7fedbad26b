import { fieldsOf } from '../../../http/index.js';
import { ImportError, quoted } from '../import-error.js';
import { fieldNamed, type FileFormat, foldColumn, type Mapping, READ_ONLY_WHEN_MAPPED } from './mapping.js';
import { type ChurchOfFile, undecidedColumns } from './undecided-columns.js';
import { isAbsent } from '../../../values/index.js';
import { AddContributionRequest } from '../../gifts/index.js';

/** How a row of a file becomes the fields of a request. */
export interface Columns {
  /** The field of each column, undefined for one that is left out. */
  readonly fields: readonly (string | undefined)[];
  /** What a field is for rows that have nothing there. */
  readonly defaults: Mapping['defaults'];
  readonly file: FileFormat;
}

/**
 * Which column is which field: as the mapping says, and otherwise by the column's own name.
 * @param source of rows that do not tell theirs.
 * @throws ImportError with all that is wrong: nothing must be booked of a file that is only half understood.
 */
export function chooseColumns(
  header: readonly string[],
  mapping: Mapping,
  source: string | undefined,
  church: ChurchOfFile,
): Columns {
  const names = header.map(foldColumn);
  const mapped = new Set([...mapping.columns.values()].map(({ field }) => field));
  const fields = names.map((name) => {
    const inMapping = mapping.columns.get(name);
    if (inMapping !== undefined) return inMapping.field;
    const field = fieldNamed(name);
    return field === undefined || mapped.has(field) || READ_ONLY_WHEN_MAPPED.has(field) ? undefined : field;
  });
  const defaults = { ...mapping.defaults, ...(source !== undefined && { Source: source }) };
  const columns = { fields, defaults, file: mapping.file };
  const faults = [...faultsOfNames(names, fields, mapping), ...missing(columns)];
  const undecided = undecidedColumns({ header, fields, mapping, church });
  const unusable = faults.length > 0 ? [`The columns of the file cannot be used: ${faults.join('; ')}.`] : [];
  if (unusable.length > 0 || undecided !== undefined)
    throw new ImportError([...unusable, ...(undecided === undefined ? [] : [undecided])].join('\n'));
  return columns;
}

/** The fields of a row: of its cells, and where those are blank, the defaults. */
export function fieldsOfRow({ fields, defaults }: Columns, cells: readonly string[]): Record<string, unknown> {
  const row: Record<string, unknown> = { ...defaults };
  fields.forEach((field, index) => {
    const cell = cells[index];
    if (field !== undefined && !isAbsent(cell)) row[field] = cell;
  });
  return row;
}

/** What is read as what, and what is not read, for a person to see that it is meant so. */
export function describeColumns(header: readonly string[], { fields, defaults }: Columns): string {
  const read = header.flatMap((name, index) => {
    const field = fields[index];
    if (field === undefined) return [];
    return [foldColumn(name) === foldColumn(field) ? field : `${quoted(name)} as ${field}`];
  });
  const left = header.filter((_name, index) => fields[index] === undefined).map(quoted);
  const others = Object.entries(defaults).map(([field, value]) => `${field} ${quoted(String(value))}`);
  return [
    `Reads ${read.join(', ')}.`,
    ...(others.length > 0 ? [`Where a row has nothing: ${others.join(', ')}.`] : []),
    ...(left.length > 0 ? [`Leaves out ${left.join(', ')}.`] : []),
    ...fundWarning(header, { fields, defaults }),
  ].join('\n');
}

/** Gifts for a purpose would all count as given to the same fund. */
function fundWarning(header: readonly string[], { fields, defaults }: Pick<Columns, 'fields' | 'defaults'>): string[] {
  if (fields.includes('FundId')) return [];
  const funds = header.filter((name, index) => fields[index] === undefined && /fund(?!rais)|designation/i.test(name));
  if (funds.length === 0) return [];
  const fund = 'FundId' in defaults ? `fund ${String(defaults['FundId'])}` : 'the default fund';
  return [`All gifts go to ${fund}, whatever ${funds.map(quoted).join(', ')} says.`];
}

function faultsOfNames(names: readonly string[], fields: Columns['fields'], mapping: Mapping): string[] {
  const twice = names.filter((name, i) => fields[i] !== undefined && names.indexOf(name) < i);
  const absent = [...mapping.columns.entries()].filter(([name]) => !names.includes(name)).map(([, { name }]) => name);
  return [
    ...twice.map((name) => `there is more than one column ${quoted(name)}`),
    ...(absent.length > 0 ? [`the mapping names columns that are not there: ${absent.map(quoted).join(', ')}`] : []),
  ];
}

function missing({ fields, defaults }: Pick<Columns, 'fields' | 'defaults'>): string[] {
  const isThere = (field: string): boolean => fields.includes(field) || field in defaults;
  const required = fieldsOf(AddContributionRequest).filter(({ name, required }) => required && !isThere(name));
  return [
    ...(required.length > 0
      ? [
          `there is none for ${required.map(({ name }) => name).join(', ')} (the first line must name the columns; ` +
            '--mapping tells which is which)',
        ]
      : []),
    ...(isThere('Source') ? [] : ['there is none for Source: give --source']),
    ...(fields.includes('TransactionId') || fields.includes('Date')
      ? []
      : ['there is none for TransactionId, nor for Date, by which gifts without an id are told apart']),
  ];
}
