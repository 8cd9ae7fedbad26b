import { NON_CASH_TYPES, NON_DEDUCTIBLE_TYPE, PLEDGE_TYPE, REVERSED_TYPE } from './reference-data.js';

/** Money that was given, on a plate or online: of such a gift nothing has to be said. */
const PLAIN_TYPES: Readonly<Record<number, string>> = { 1: 'Regular', 5: 'Online' };

const IN_WORDS: Readonly<Record<number, string>> = {
  ...PLAIN_TYPES,
  [REVERSED_TYPE]: 'Taken back',
  [PLEDGE_TYPE]: 'Pledge',
  [NON_DEDUCTIBLE_TYPE]: 'Not deductible',
  [NON_CASH_TYPES[0]]: 'In kind',
  [NON_CASH_TYPES[1]]: 'Stock',
};

/** A type for people: "Not deductible" for NonTaxDed. @param name in the database, for types that the church has added. */
export function typeInWords(contributionTypeId: number, name = 'Gift'): string {
  return IN_WORDS[contributionTypeId] ?? name;
}

/** The type of a gift in words, if it is not plain money: of a pledge, nothing has been received. */
export function specialType(contributionTypeId: number, name?: string): string | undefined {
  return PLAIN_TYPES[contributionTypeId] === undefined ? typeInWords(contributionTypeId, name) : undefined;
}
