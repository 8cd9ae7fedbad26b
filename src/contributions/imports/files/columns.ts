import { fieldsOf } from '../../../http/index.js';
import { ImportError, quoted } from '../import-error.js';
import {
  fieldNamed,
  type FileFormat,
  foldColumn,
  isReadOnlyWhenMapped,
  type Mapping,
  type RefundColumn,
} from './mapping.js';
import { type ChurchOfFile, undecidedColumns } from './undecided-columns.js';
import { isAbsent } from '../../../values/index.js';
import { AddContributionRequest } from '../../gifts/index.js';

/** The mapping from the columns of a file to the fields of a request. */
export interface Columns {
  /** The field of each column; undefined for a column that is ignored. */
  readonly fields: readonly (string | undefined)[];
  /** The values of fields that are blank in a row. */
  readonly defaults: Mapping['defaults'];
  readonly file: FileFormat;
  /** The columns that say whether a row takes a gift back. */
  readonly refunds: readonly { readonly index: number; readonly values: RefundColumn['values'] }[];
}

/**
 * Assigns fields to columns: by the mapping, or else by the column's name.
 * @param source of rows without a Source.
 * @throws ImportError with all faults, because nothing may be recorded from a file that is only half understood.
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
    return field === undefined || mapped.has(field) || isReadOnlyWhenMapped(field) ? undefined : field;
  });
  const defaults = { ...mapping.defaults, ...(source !== undefined && { Source: source }) };
  const refunds = [...mapping.refunds].map(([name, { values }]) => ({ index: names.indexOf(name), values }));
  const columns = { fields, defaults, file: mapping.file, refunds };
  const faults = [...faultsOfNames(names, fields, mapping), ...faultsOfMissing(columns)];
  const undecided = undecidedColumns({ header, fields, mapping, church });
  const unusable = faults.length > 0 ? [`The columns of the file cannot be used: ${faults.join('; ')}.`] : [];
  if (unusable.length > 0 || undecided !== undefined)
    throw new ImportError([...unusable, ...(undecided === undefined ? [] : [undecided])].join('\n'));
  return columns;
}

/** The fields of a row: its cells, or the defaults for blank cells. */
export function fieldsOfRow({ fields, defaults }: Columns, cells: readonly string[]): Record<string, unknown> {
  const row: Record<string, unknown> = { ...defaults };
  fields.forEach((field, index) => {
    const cell = cells[index];
    if (field !== undefined && !isAbsent(cell)) row[field] = cell;
  });
  return row;
}

/** Whether a row takes back the gift that has its TransactionId. */
export function isRefund({ refunds }: Columns, cells: readonly string[]): boolean {
  return refunds.some(({ index, values }) => values.has(foldColumn(cells[index] ?? '')));
}

/** Describes how columns are read and which are ignored, so that the user can check it. */
export function describeColumns(header: readonly string[], { fields, defaults, refunds }: Columns): string {
  const read = header.flatMap((name, index) => {
    const field = fields[index];
    if (field === undefined) return [];
    return [foldColumn(name) === foldColumn(field) ? field : `${quoted(name)} as ${field}`];
  });
  const ignored = header
    .filter((_name, index) => fields[index] === undefined && !refunds.some((refund) => refund.index === index))
    .map(quoted);
  const values = Object.entries(defaults).map(([field, value]) => `${field} ${quoted(String(value))}`);
  return [
    `Reads ${read.join(', ')}.`,
    ...(values.length > 0 ? [`For blank fields: ${values.join(', ')}.`] : []),
    ...refunds.map(
      ({ index, values }) =>
        `Takes gifts back where ${quoted(header[index] ?? '')} is ${[...values].map(quoted).join(' or ')}.`,
    ),
    ...(ignored.length > 0 ? [`Ignores ${ignored.join(', ')}.`] : []),
    ...fundWarning(header, { fields, defaults }),
  ].join('\n');
}

/** Warns if the file seems to name funds that are not read: all gifts would go to the same fund. */
function fundWarning(header: readonly string[], { fields, defaults }: Pick<Columns, 'fields' | 'defaults'>): string[] {
  if (fields.includes('FundId') || fields.includes('FundName')) return [];
  const funds = header.filter((name, index) => fields[index] === undefined && /fund(?!rais)|designation/i.test(name));
  if (funds.length === 0) return [];
  const fund = 'FundId' in defaults ? `fund ${String(defaults['FundId'])}` : 'the default fund';
  const [name = ''] = funds;
  return [
    `All gifts go to ${fund}, whatever ${funds.map(quoted).join(', ')} says. To read the names of funds, add ` +
      `${JSON.stringify(name)}: "FundName" to the mapping.`,
  ];
}

function faultsOfNames(names: readonly string[], fields: Columns['fields'], mapping: Mapping): string[] {
  const twice = names.filter((name, i) => fields[i] !== undefined && names.indexOf(name) < i);
  const absent = [...mapping.columns, ...mapping.refunds].flatMap(([name, column]) =>
    names.includes(name) ? [] : [column.name],
  );
  return [
    ...twice.map((name) => `there is more than one column ${quoted(name)}`),
    ...(absent.length > 0 ? [`the mapping names columns that are not there: ${absent.map(quoted).join(', ')}`] : []),
  ];
}

function faultsOfMissing({ fields, defaults }: Pick<Columns, 'fields' | 'defaults'>): string[] {
  const isThere = (field: string): boolean => fields.includes(field) || field in defaults;
  const required = fieldsOf(AddContributionRequest).filter(({ name, required }) => required && !isThere(name));
  return [
    ...(required.length > 0
      ? [
          `no column is ${required.map(({ name }) => name).join(', ')} (the first line must name the columns; ` +
            '--mapping can assign other names)',
        ]
      : []),
    ...(isThere('Source') ? [] : ['no column is Source: use --source']),
    ...(fields.includes('TransactionId') || fields.includes('Date')
      ? []
      : ['no column is TransactionId or Date, which distinguish equal gifts']),
  ];
}
