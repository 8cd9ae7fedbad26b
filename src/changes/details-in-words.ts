import type { AuditDetails } from '../audit/index.js';
import type { Names } from '../pages/index.js';

/** The most values of a list that are shown. */
const MOST_VALUES = 10;

type OneValue = string | number | boolean;

/** The value of a detail in words. @param names by kinds of ids: a fund is shown by its name. */
export function valueInWords(
  name: string,
  value: AuditDetails[string],
  names: ReadonlyMap<string, Names> = new Map(),
): string {
  const named = names.get(kindOfId(name));
  const inWords = (one: OneValue): string =>
    (typeof one === 'number' ? named?.get(one) : undefined) ?? textInWords(one);
  if (typeof value !== 'object') return inWords(value);
  const shown = value.slice(0, MOST_VALUES).map(inWords).join(', ');
  return value.length > MOST_VALUES ? `${shown} and ${value.length - MOST_VALUES} more` : shown;
}

/** A value in words: the code "possible_duplicate" is "possible duplicate". */
function textInWords(value: OneValue): string {
  const text = String(value);
  return /^[a-z]+(_[a-z]+)+$/.test(text) ? text.replaceAll('_', ' ') : text;
}

/** What the ids of a detail are of: "fund" for "fundId" and "fromFundIds". */
function kindOfId(name: string): string {
  return /([A-Z]?[a-z]+)Ids?$/.exec(name)?.[1]?.toLowerCase() ?? '';
}

/** What Finance calls the ids of details. */
const ID_WORDS: Readonly<Record<string, string>> = {
  contribution: 'gift',
  people: 'person',
  'reversing contribution': 'reversing entry',
};

/** The name of a detail in words: "peopleId" is "person", "fromFundIds" is "from fund". */
export function detailInWords(name: string): string {
  const words = name.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  const [, subject] = /^(.+) ids?$/.exec(words) ?? [];
  return subject === undefined ? words : (ID_WORDS[subject] ?? subject);
}
