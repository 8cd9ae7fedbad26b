import { describe, expect, it } from '@jest/globals';
import { fieldInWords, inWordsOfPages } from './words-of-pages.js';

describe('inWordsOfPages', () => {
  it.each([
    ['There is no person with PeopleId 7.', 'There is no person 7.'],
    ['There is no contribution 7.', 'There is no gift 7.'],
    [
      'Contribution 7 was already reversed at 2026-07-26T14:03:09.512Z by source txt2give.',
      'Gift 7 was taken back already, by source txt2give.',
    ],
    [
      'Only USD 5.00 is left of contribution 7. Nothing was reversed.',
      'Only USD 5.00 is left of gift 7. Nothing was taken back.',
    ],
    ['Nothing that was reversed of contribution 7 is left to reinstate.', 'No reversal of gift 7 is left to undo.'],
    ['is the name of another fund than FundId', 'is the name of another fund than the fund number'],
    ['must be more than zero: it is the amount to take back', 'must be more than zero'],
    ['must not be less than minAmount', 'must not be less than the lowest amount'],
    ['must not be before from', 'must not be before the first day'],
    // Names that people have chosen stay as they are.
    ['McDonald is closed. Open it first.', 'McDonald is closed. Open it first.'],
    ['Version 2 is closed. Open it first.', 'Version 2 is closed. Open it first.'],
  ])('“%s” is “%s”', (message, inPage) => {
    expect(inWordsOfPages(message)).toBe(inPage);
  });

  it('has own words for what a call says of its headers', () => {
    expect(inWordsOfPages('Idempotency-Key …', 'idempotency_key_reused')).toContain(
      'This form has done its work before',
    );
  });
});

describe('fieldInWords', () => {
  it.each([
    ['PeopleId', 'Person number'],
    ['IntoVersion', 'State of the record that stays'],
    ['Kind', 'Kind'],
    ['someField', 'Some field'],
  ])('%s is “%s”', (name, words) => {
    expect(fieldInWords(name)).toBe(words);
  });
});
