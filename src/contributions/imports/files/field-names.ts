import { fieldsOf } from '../../../http/index.js';
import { normalizeText } from '../../../values/index.js';
import { AddContributionRequest } from '../../gifts/index.js';

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

/**
 * Fields of files only: the id of a refund, the gift that it takes back, the amount that was refunded so far, the amount of a
 * dispute, and the time and its zone, if the date has columns for them.
 */
const FIELDS_OF_FILES = ['RefundId', 'RefundOf', 'RefundedAmount', 'DisputedAmount', 'Time', 'TimeZone'] as const;

/** Fields that imports of earlier releases ignored. A column with such a name is read only if the mapping says so. */
const ADDED_FIELDS: ReadonlySet<string> = new Set([
  ...['Method', 'CheckNumber', 'Fee', 'PayoutId', 'FundName'],
  ...FIELDS_OF_FILES,
]);

/** The fields that differ for each row, so they can have no default. */
const FIELDS_OF_ONE_ROW: ReadonlySet<string> = new Set(['TransactionId', ...FIELDS_OF_FILES]);

/** Of gifts and refunds. A row has one amount and one fund, so it cannot have Splits. */
const FIELDS: ReadonlyMap<string, string> = new Map(
  [...fieldsOf(AddContributionRequest).map(({ name }) => name), ...FIELDS_OF_FILES]
    .filter((name) => name !== 'Splits')
    .map((name) => [foldColumn(name), name]),
);

/** Stands for First and Last, for a column that holds both. No column can be mapped to it by this name. */
export const WHOLE_NAME = 'First and Last';

/** Whether a field is read only from a column that the mapping names. */
export function isReadOnlyWhenMapped(field: string): boolean {
  return AMBIGUOUS_FIELDS.has(field) || ADDED_FIELDS.has(field);
}

/** Whether the field can have a default for all rows. */
export function canHaveDefault(field: string): boolean {
  return !FIELDS_OF_ONE_ROW.has(field);
}

/** Folds a column's name for comparison: it ignores letter case and surrounding white space. */
export function foldColumn(name: string): string {
  return normalizeText(name).toLowerCase();
}

/** The field with this name in any letter case, spelled as in AddContribution. */
export function fieldNamed(name: string): string | undefined {
  return FIELDS.get(foldColumn(name));
}

/** The names of all fields. */
export function allFields(): readonly string[] {
  return [...FIELDS.values()];
}
