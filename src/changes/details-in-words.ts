import type { AuditDetails } from '../audit/index.js';

/** The most values of a list that are shown. */
const MOST_VALUES = 10;

/** The value of a detail in words. */
export function valueInWords(value: AuditDetails[string]): string {
  if (typeof value !== 'object') return textInWords(value);
  const shown = value.slice(0, MOST_VALUES).map(textInWords).join(', ');
  return value.length > MOST_VALUES ? `${shown} and ${value.length - MOST_VALUES} more` : shown;
}

/** A value in words: the code "possible_duplicate" is "possible duplicate". */
function textInWords(value: string | number | boolean): string {
  const text = String(value);
  return /^[a-z]+(_[a-z]+)+$/.test(text) ? text.replaceAll('_', ' ') : text;
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
