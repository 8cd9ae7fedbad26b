import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { nameEndings, nameWords, notesWords, phoneTerm, searchedPhone, searchWords } from './search-words.js';

describe('a name', () => {
  it.each([
    ['De La Cruz', ['delacruz', 'lacruz', 'cruz']],
    ['Anna-Lena', ['annalena', 'lena']],
    ['St. John', ['stjohn', 'john']],
    ['O’Dell', ['odell']],
    ['Østergård', ['ostergard']],
    ['-', ['-']],
    ['', []],
    [' Ann  - ', ['ann']],
  ])('%j is found by the beginning of %j', (name, endings) => {
    expect(nameEndings(name)).toEqual(endings);
  });

  it('has its words besides, for a comparison of whole words', () => {
    expect(nameWords('De La Cruz')).toEqual(['delacruz', 'lacruz', 'cruz', 'de', 'la']);
  });

  it('of any kind is found by each of its words', () => {
    const word = fc.string({
      unit: fc.constantFrom('a', 'É', 'ß', 'ø', 'Σ', 'ς', 'и', 'か', '王', "'", '.', '5'),
      minLength: 1,
      maxLength: 6,
    });
    const separator = fc.constantFrom(' ', '-', '  ', ' - ', '\u{A0}', '\u{2013}');
    fc.assert(
      fc.property(fc.array(fc.tuple(word, separator), { minLength: 1, maxLength: 5 }), (parts) => {
        const name = parts.flat().join('').trim();
        const endings = nameEndings(name);
        for (const { prefix } of searchWords(name)) {
          expect(endings.some((ending) => ending.startsWith(prefix))).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('a search', () => {
  it('has folded words and their short forms', () => {
    const [bob, oneill, ...others] = searchWords("  BOB  O'Neill ");
    expect(bob?.prefix).toBe('bob');
    expect(bob?.shortForms).toContain('robert');
    expect(oneill).toEqual({ prefix: 'oneill', shortForms: [] });
    expect(others).toEqual([]);
  });

  it.each([
    ['Ann@Example.ORG', ['ann@example.org']],
    ['a-b@x-y.org', ['a-b@x-y.org']],
    ['mary-ann', ['mary', 'ann']],
    ['Ann & Bob', ['ann', 'bob']],
    ['-', ['-']],
    ['…', ['...']],
  ])('%j has the words %j', (text, words) => {
    expect(searchWords(text).map(({ prefix }) => prefix)).toEqual(words);
  });
});

describe('a phone number', () => {
  it.each([
    ['(901) 555-0142', '+19015550142'],
    ['+1 901 555 0142', '+19015550142'],
    ['555-0142', 'tel:5550142'],
    ['n/a', null],
    ['12', null],
  ])('%j is found as %j', (phone, term) => {
    expect(phoneTerm(phone, 'US')).toBe(term);
  });

  it('is searched for only by what looks like one', () => {
    expect(searchedPhone('901.555.0142', 'US')).toBe('+19015550142');
    expect(searchedPhone('5th of May 2020', 'US')).toBeNull();
  });
});

it('notes have their words of letters and digits', () => {
  expect(notesWords('For the Café-roof (2026), Ole!')).toEqual(['for', 'the', 'cafe', 'roof', '2026', 'ole']);
});
