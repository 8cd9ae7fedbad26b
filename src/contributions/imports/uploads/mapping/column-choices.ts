import type { Church } from '../../../../config/index.js';
import { chooseColumns, fieldsOfColumns, namesOf } from '../../files/columns.js';
import { allFields, foldColumn, WHOLE_NAME } from '../../files/field-names.js';
import { type Mapping, NO_MAPPING } from '../../files/mapping.js';
import { NAME_ORDERS } from '../../cells/cell-name.js';
import { type ColumnFaults, UnusableColumnsError } from '../../files/unusable-columns-error.js';
import { ImportError } from '../../import-error.js';
import type { FoundTable } from '../files/found-table.js';
import { type ImportOptions, wholeMapping } from './import-options.js';

/** The choices for a column besides the fields. */
export const IGNORED = 'ignore';
export const CONDITION = 'condition';
const NAME = 'name: ';

/** What the rows are with a value of a column that decides about them. */
export const MEANINGS = ['gift', 'refund', 'left out', 'refused'] as const;

export type Meaning = (typeof MEANINGS)[number];

/** What is chosen for a column. */
export interface ChosenColumn {
  /** A field, one of the choices above, or empty while it is to be decided. */
  readonly choice: string;
  /** By the values of the column, in their order. */
  readonly meanings: readonly Meaning[];
}

/** What is chosen for the columns of a file, and what is still to be decided. */
export interface CurrentChoices {
  readonly columns: readonly ChosenColumn[];
  readonly mapping: Mapping;
  /** Undefined if the columns can be used. */
  readonly faults: ColumnFaults | undefined;
}

/** Labels of the choices, in the order of the list. */
export const CHOICES: readonly (readonly [value: string, label: string])[] = [
  [IGNORED, 'Ignore it'],
  ['Amount', 'Amount'],
  ['Date', 'Date'],
  ...NAME_ORDERS.map((order) => [NAME + order, `Whole name: ${order}`] as const),
  ['First', 'First name'],
  ['Last', 'Last name'],
  ['Email', 'E-mail'],
  ['Phone', 'Phone'],
  ['TransactionId', 'Transaction id'],
  ['FundName', 'Fund (name)'],
  ['Method', 'Payment method'],
  ['Fee', 'Fee'],
  [CONDITION, 'Says whether the row is a gift'],
  ['Currency', 'Currency'],
  ['CheckNumber', 'Check number'],
  ['PayoutId', 'Payout id'],
  ['Address', 'Address'],
  ['Zip', 'Postal code'],
  ['Notes', 'Notes'],
  ['Source', 'Source'],
  ['Time', 'Time'],
  ['TimeZone', 'Time zone'],
  ['RefundId', 'Id of the refund'],
  ['RefundOf', 'Gift that is refunded (its transaction id)'],
  ['RefundedAmount', 'Amount refunded so far'],
  ['DisputedAmount', 'Amount of a dispute'],
  ['FundId', 'Fund (number in Offertory)'],
  ['PeopleId', 'Person (number in Offertory)'],
  ['IgnoreUnknownPerson', 'Ignore unknown person numbers'],
  ['BundleTypeId', 'Kind of bundle (number in Offertory)'],
  ['ContributionTypeId', 'Type of gift (number in Offertory)'],
];

/** All choices: those with a label, and fields that were added since. */
export const ALL_CHOICES: readonly (readonly [value: string, label: string])[] = [
  ...CHOICES,
  ...allFields().flatMap((field) => (CHOICES.some(([value]) => value === field) ? [] : [[field, field] as const])),
];

/** What a mapping means for the columns of a file. */
export function currentChoices(found: FoundTable, options: ImportOptions, church: Church): CurrentChoices {
  const header = found.columns.map(({ name }) => name);
  const { mapping, faults } = resolve(header, options, church);
  const names = namesOf(header, mapping);
  const fields = fieldsOfColumns(names, mapping);
  const undecided = new Set(faults?.undecided.map(({ name }) => name));
  const columns = found.columns.map(({ name: shown, values }, index) => {
    const name = names[index] ?? '';
    const field = fields[index];
    const choice = choiceOf(name, field, mapping) ?? (undecided.has(shown) ? '' : IGNORED);
    return { choice, meanings: values.map((value) => meaningOfValue(name, value, mapping)) };
  });
  return { columns, mapping, faults };
}

/** The value of a mapping's entry for a choice. */
export function entryOf(choice: string): unknown {
  if (choice === IGNORED) return null;
  return choice.startsWith(NAME) ? { name: choice.slice(NAME.length) } : choice;
}

function choiceOf(name: string, field: string | undefined, { columns, only, refunds }: Mapping): string | undefined {
  if (field === WHOLE_NAME) return `${NAME}${columns.get(name)?.nameOrder ?? ''}`;
  if (field !== undefined) return field;
  return only.has(name) || refunds.has(name) ? CONDITION : undefined;
}

/** A value that no condition names is left out or refused, because nothing may be recorded by mistake. */
function meaningOfValue(name: string, value: string, { only, refunds, leaveOut, lost }: Mapping): Meaning {
  const folded = foldColumn(value);
  if (refunds.get(name)?.values.has(folded) === true) return 'refund';
  if (lost.get(name)?.values.has(folded) === true) return 'gift';
  const gifts = only.get(name);
  const others = leaveOut.get(name);
  if (others !== undefined && !others.values.has(folded))
    return gifts?.values.has(folded) === true ? 'gift' : 'refused';
  if (gifts !== undefined) return gifts.values.has(folded) ? 'gift' : 'left out';
  return refunds.has(name) ? 'gift' : 'left out';
}

function resolve(
  header: readonly string[],
  options: ImportOptions,
  church: Church,
): { readonly mapping: Mapping; readonly faults: ColumnFaults | undefined } {
  let mapping = NO_MAPPING;
  try {
    mapping = wholeMapping(options);
    chooseColumns(header, mapping, options.source ?? undefined, church, options.withoutContacts);
    return { mapping, faults: undefined };
  } catch (error) {
    if (error instanceof UnusableColumnsError) return { mapping, faults: error.columns };
    if (!(error instanceof ImportError)) throw error;
    return { mapping, faults: { faults: [error.message], missing: [], undecided: [] } };
  }
}
