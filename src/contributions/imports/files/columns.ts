import { fieldsOf, InvalidRequestError } from '../../../http/index.js';
import { isAbsent } from '../../../values/index.js';
import { AddContributionRequest } from '../../gifts/index.js';
import type { NameOrder } from '../cells/cell-name.js';
import { convertCells } from '../cells/convert-cells.js';
import { quoted } from '../import-error.js';
import { withLostDispute } from '../payments/lost-dispute.js';
import type { PaymentRows } from '../payments/payment-rows.js';
import { fieldNamed, foldColumn, isReadOnlyWhenMapped, WHOLE_NAME } from './field-names.js';
import type { FileFormat } from './file-format.js';
import type { Mapping, RowConditions } from './mapping.js';
import { type ChurchOfFile, messageOfUndecided, undecidedColumns } from './undecided-columns.js';
import { UnusableColumnsError } from './unusable-columns-error.js';

/** The mapping from the columns of a file to the fields of a request. */
export interface Columns {
  /** The names of the columns, as in the file. */
  readonly header: readonly string[];
  /** The field of each column; undefined for a column that is ignored. */
  readonly fields: readonly (string | undefined)[];
  /** How the column of the whole name writes it; undefined if there is no such column. */
  readonly nameOrder: NameOrder | undefined;
  /** The values of fields that are blank in a row. */
  readonly defaults: Mapping['defaults'];
  readonly file: FileFormat;
  /** Contacts that a row may lack. */
  readonly mayLack: ReadonlySet<string>;
  /** Whether a row may lack both contacts. */
  readonly withoutContacts: boolean;
  /** The columns that say which rows are recorded. All conditions must be met. */
  readonly only: readonly RowCondition[];
  /** The columns that say whether a row takes a gift back. One condition is enough. */
  readonly refunds: readonly RowCondition[];
  /** The columns of which each value must be in some list, with the values of rows that are left out. */
  readonly leaveOut: readonly RowCondition[];
  /** The columns that say whether a gift was lost in a dispute. One condition is enough. */
  readonly lost: readonly RowCondition[];
  /** The settings of the church for amounts and dates. */
  readonly church: ChurchOfFile;
  /** The payments that the file spreads over several rows; undefined until it was read. */
  readonly payments?: PaymentRows;
}

/** The columns of a table that say which rows are refunds. */
export type RefundColumns = Pick<Columns, 'fields' | 'refunds'>;

/** The values that a column must have. */
export interface RowCondition {
  readonly index: number;
  readonly values: ReadonlySet<string>;
}

/** What a row is: a gift, something that takes a gift back, nothing that is recorded, or a row with an unknown value. */
export type RowKind = 'gift' | 'refund' | 'left out' | 'unknown';

/**
 * Assigns fields to columns: by the mapping, or else by the column's name.
 * @param source of rows without a Source.
 * @param withoutContacts whether rows may lack e-mail and phone.
 * @throws ImportError with all faults, because nothing may be recorded from a file that is only half understood.
 */
export function chooseColumns(
  header: readonly string[],
  mapping: Mapping,
  source: string | undefined,
  church: ChurchOfFile,
  withoutContacts = false,
): Columns {
  const names = namesOf(header, mapping);
  const fields = fieldsOfColumns(names, mapping);
  const columns: Columns = {
    header,
    fields,
    nameOrder: mapping.columns.get(names[fields.indexOf(WHOLE_NAME)] ?? '')?.nameOrder,
    defaults: { ...mapping.defaults, ...(source !== undefined && { Source: source }) },
    file: mapping.file,
    mayLack: withoutContacts ? new Set(['Email', 'Phone']) : mapping.mayLack,
    withoutContacts,
    only: conditionsOf(mapping.only, names),
    refunds: conditionsOf(mapping.refunds, names),
    leaveOut: conditionsOf(mapping.leaveOut, names),
    lost: conditionsOf(mapping.lost, names),
    church,
  };
  const faults = faultsOfNames(names, fields, mapping);
  const missing = missingFields(columns);
  const undecided = undecidedColumns({ header, fields, mapping, church });
  if (faults.length + missing.length + undecided.length > 0)
    throw new UnusableColumnsError(messageOf(faults, missing, undecided), { faults, missing, undecided });
  return columns;
}

/** The field of each column, by the mapping, or else by its name. @param names from {@link namesOf}. */
export function fieldsOfColumns(names: readonly string[], mapping: Mapping): (string | undefined)[] {
  const mapped = new Set([...mapping.columns.values()].map(({ field }) => field));
  return names.map((name) => {
    const inMapping = mapping.columns.get(name);
    if (inMapping !== undefined) return inMapping.field;
    const field = fieldNamed(name);
    return field === undefined || mapped.has(field) || isReadOnlyWhenMapped(field) ? undefined : field;
  });
}

/** The names of the columns, folded, as the mapping has them. */
export function namesOf(header: readonly string[], { otherNames }: Mapping): string[] {
  const names = header.map(foldColumn);
  return names.map((name) => {
    const known = otherNames.get(name);
    return known === undefined || names.includes(known) ? name : known;
  });
}

/** Conditions about columns that the file lacks are left out: they are optional, or else a fault. */
function conditionsOf(conditions: RowConditions, names: readonly string[]): RowCondition[] {
  return [...conditions]
    .map(([name, { values }]) => ({ index: names.indexOf(name), values }))
    .filter(({ index }) => index >= 0);
}

/** The fields of a row: its cells in the notation of AddContribution, or the defaults for blank cells. */
export function fieldsOfRow(columns: Columns, cells: readonly string[]): Record<string, unknown> {
  const row: Record<string, string> = {};
  columns.fields.forEach((field, index) => {
    const cell = cells[index];
    if (field !== undefined && cell !== undefined && !isAbsent(cell)) row[field] = cell;
  });
  const fields = { ...columns.defaults, ...convertCells(row, columns) };
  if (columns.lost.some((condition) => isMet(condition, cells))) return withLostDispute(fields);
  delete fields['DisputedAmount'];
  return fields;
}

/** The fields of a row that says nothing about the fund if its own cells do not, whatever the default for gifts is. */
export function fieldsWithOwnFund(columns: Columns, cells: readonly string[]): Record<string, unknown> {
  const defaults = Object.entries(columns.defaults).filter(([field]) => field !== 'FundId' && field !== 'FundName');
  return fieldsOfRow({ ...columns, defaults: Object.fromEntries(defaults) }, cells);
}

/** Whether a row takes a gift back, by the conditions of the mapping. */
export function isRefundRow({ fields, refunds }: RefundColumns, cells: readonly string[]): boolean {
  // If the mapping has no `refunds`, a row that names the gift that it takes back is a refund.
  if (refunds.length === 0) return !isAbsent(cells[fields.indexOf('RefundOf')]);
  return refunds.some((condition) => isMet(condition, cells));
}

/** The columns that say which rows are refunds. @param names from {@link namesOf}. */
export function refundColumns(names: readonly string[], mapping: Mapping): RefundColumns {
  return { fields: fieldsOfColumns(names, mapping), refunds: conditionsOf(mapping.refunds, names) };
}

/** What a row is, by the conditions of the mapping. */
export function kindOfRow(columns: Columns, cells: readonly string[]): RowKind {
  const { only, refunds, leaveOut, lost } = columns;
  const isRefund = isRefundRow(columns, cells);
  if (leaveOut.some((condition) => isMet(condition, cells))) return 'left out';
  const isOfRefunds = ({ index }: RowCondition): boolean => refunds.some((refund) => refund.index === index);
  const conditions = isRefund ? only.filter((condition) => !isOfRefunds(condition)) : only;
  const isDecidedBy = ({ index }: RowCondition): boolean => leaveOut.some((condition) => condition.index === index);
  const isAccepted = ({ index }: RowCondition): boolean =>
    [...only, ...lost].some((condition) => condition.index === index && isMet(condition, cells));
  if (!conditions.every((condition) => isAccepted(condition) || isDecidedBy(condition))) return 'left out';
  if (unknownColumn(columns, cells) !== undefined) return 'unknown';
  return isRefund ? 'refund' : 'gift';
}

/** The first column with a value that is in no list although `leaveOut` names the column. */
function unknownColumn({ only, refunds, leaveOut, lost }: Columns, cells: readonly string[]): number | undefined {
  const lists = [...only, ...refunds, ...leaveOut, ...lost];
  const isKnown = (index: number): boolean =>
    lists.some((condition) => condition.index === index && isMet(condition, cells));
  return leaveOut.find(({ index }) => !isKnown(index))?.index;
}

/** @throws InvalidRequestError for a row of the kind `unknown`. */
export function refuseUnknownValue(columns: Columns, cells: readonly string[]): never {
  const index = unknownColumn(columns, cells) ?? -1;
  const value = cells[index] ?? '';
  const message =
    `${isAbsent(value) ? 'is blank, which is an unknown value' : `has the unknown value ${quoted(value)}`}: add it to "only", ` +
    '"refunds" or "leaveOut" of the mapping';
  throw InvalidRequestError.ofFields([{ field: quoted(columns.header[index] ?? ''), message }]);
}

function isMet({ index, values }: RowCondition, cells: readonly string[]): boolean {
  return values.has(foldColumn(cells[index] ?? ''));
}

function faultsOfNames(names: readonly string[], fields: Columns['fields'], mapping: Mapping): string[] {
  const conditions = [...mapping.only, ...mapping.refunds, ...mapping.leaveOut, ...mapping.lost];
  const isRead = (name: string, index: number): boolean =>
    fields[index] !== undefined || conditions.some(([condition]) => condition === name);
  const twice = names.filter((name, i) => isRead(name, i) && names.indexOf(name) < i);
  const absent = [...mapping.columns, ...conditions].flatMap(([name, column]) =>
    names.includes(name) || mapping.optional.has(name) ? [] : [column.name],
  );
  const parts = fields.includes(WHOLE_NAME) ? ['First', 'Last'].filter((part) => fields.includes(part)) : [];
  return [
    ...[...new Set(twice)].map((name) => `there is more than one column ${quoted(name)}`),
    ...(parts.length > 0 ? [`a column holds the whole name, and another one is ${parts.join(', ')}`] : []),
    ...(absent.length > 0
      ? [`the mapping names columns that are not there: ${[...new Set(absent)].map(quoted).join(', ')}`]
      : []),
  ];
}

/** Stands for TransactionId and Date, of which a file needs one. */
export const ID_OR_DATE = 'TransactionId or Date';

/** The fields that a file needs, and that neither a column nor a default is. */
function missingFields({ fields, defaults, mayLack, withoutContacts }: Columns): string[] {
  const isThere = (field: string): boolean =>
    fields.includes(field) ||
    field in defaults ||
    (fields.includes(WHOLE_NAME) && (field === 'First' || field === 'Last'));
  const hasContact = withoutContacts || isThere('Email') || isThere('Phone');
  const isMissing = (field: string): boolean => !isThere(field) && !(hasContact && mayLack.has(field));
  const required = fieldsOf(AddContributionRequest).filter(({ name, required }) => required && isMissing(name));
  return [
    ...required.map(({ name }) => name),
    ...(isThere('Source') ? [] : ['Source']),
    ...(fields.includes('TransactionId') || fields.includes('Date') ? [] : [ID_OR_DATE]),
  ];
}

function messageOf(
  faults: readonly string[],
  missing: readonly string[],
  undecided: Parameters<typeof messageOfUndecided>[0],
): string {
  const required = missing.filter((field) => field !== 'Source' && field !== ID_OR_DATE);
  const all = [
    ...faults,
    ...(required.length > 0
      ? [
          `no column is ${required.join(', ')} (the first line must name the columns; ` +
            '--mapping can assign other names)',
        ]
      : []),
    ...(missing.includes('Source') ? ['no column is Source: use --source'] : []),
    ...(missing.includes(ID_OR_DATE) ? [`no column is ${ID_OR_DATE}, which distinguish equal gifts`] : []),
  ];
  return [
    ...(all.length > 0 ? [`The columns of the file cannot be used: ${all.join('; ')}.`] : []),
    ...(undecided.length > 0 ? [messageOfUndecided(undecided)] : []),
  ].join('\n');
}
