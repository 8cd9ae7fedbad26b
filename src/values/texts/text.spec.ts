import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { fault, isFault, read } from '../reading.js';
import { isAbsent, isBlank, normalizeText, readIntegerText, readText, trimText } from './text.js';

const name = { max: 100 };
const notes = { max: 4000, lineBreaks: true };
const LONG = 300_000;

function milliseconds(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

function* allCharacters(): Generator<string> {
  for (let code = 0; code <= 0x10ffff; code += 1) {
    if (code < 0xd800 || code > 0xdfff) yield String.fromCodePoint(code);
  }
}

describe('normalizeText', () => {
  it.each([
    ['Ann', 'Ann'],
    [' \t\r\nAnn\u{A0}', 'Ann'],
    ['\u{FEFF}\u{3000}Ann Lee\u{85}\u{2028}', 'Ann Lee'],
    ['Jose\u{301}', 'Jos\u{E9}'],
    ['  ', ''],
    ['', ''],
  ])('normalizes %j to %j', (sent, kept) => {
    expect(normalizeText(sent)).toBe(kept);
  });

  it('trims all characters of the property White_Space and the byte order mark, and no others', () => {
    const trimmed = [...allCharacters()].filter((character) => trimText(`${character}x${character}`) === 'x');
    const expected = [...allCharacters()].filter((character) => /[\p{White_Space}\u{FEFF}]/u.test(character));
    expect(trimmed).toEqual(expected);
  });

  it('is idempotent, and equal for composed and decomposed text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(normalizeText(normalizeText(text))).toBe(normalizeText(text));
        expect(normalizeText(text.normalize('NFD'))).toBe(normalizeText(text));
      }),
    );
  });

  it('is fast for a long run of white space inside', () => {
    const hostile = `x${' '.repeat(LONG)}x`;
    expect(milliseconds(() => normalizeText(hostile))).toBeLessThan(1000);
  });
});

describe('isBlank and isAbsent', () => {
  it.each([
    '',
    ' ',
    '\t\r\n',
    '\u{A0}\u{3000}',
    '\u{200B}',
    '\u{200B} \u{FEFF}',
    '\u{AD}',
    '\u{3164}',
    '\u{2800}',
    '\u{FE0F}',
    '\u{FFF9}',
  ])('treat %j as blank', (text) => {
    expect(isBlank(text)).toBe(true);
    expect(isAbsent(text)).toBe(true);
  });

  it.each(['.', '0', 'a\u{200B}', '\u{0}', '\u{D800}', '\u{301}'])('treat %j as not blank', (text) => {
    expect(isBlank(text)).toBe(false);
    expect(isAbsent(text)).toBe(false);
  });

  it('treat null and undefined as absent, but no other value that is not text', () => {
    expect([undefined, null].map(isAbsent)).toEqual([true, true]);
    expect([0, false, [], {}, NaN].map(isAbsent)).toEqual([false, false, false, false, false]);
  });

  it('treat a text like its normalized form', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(' ', '\u{200B}', '\u{2000}', '\u{85}', '\u{FEFF}', 'a') }),
        (text) => {
          expect(isBlank(text)).toBe(isBlank(normalizeText(text)));
        },
      ),
    );
  });
});

describe('readText', () => {
  it('returns the text trimmed and composed', () => {
    expect(readText('\u{A0}Jose\u{301} ', name)).toEqual(read('Jos\u{E9}'));
  });

  it('accepts blank text, which the fields may refuse', () => {
    expect(readText('  ', name)).toEqual(read(''));
    expect(readText('\u{200B}', name)).toEqual(read('\u{200B}'));
  });

  it.each([[7], [true], [['Ann']], [{ toString: 'Ann' }]])('refuses %j, which is not text', (value) => {
    expect(readText(value, name)).toEqual(fault('must be text'));
  });

  it.each(['\u{D800}', 'a\u{DC00}b', 'a\u{DC00}\u{D800}b'])('refuses lone surrogates: %j', (text) => {
    expect(readText(text, notes)).toEqual(fault('must be valid Unicode, without half of a surrogate pair'));
  });

  it('accepts characters that are encoded as surrogate pairs', () => {
    expect(readText('\u{20BB7}', name)).toEqual(read('\u{20BB7}'));
  });

  it.each(['A\u{0}B', 'A\u{1F}B', 'A\u{7F}B', 'A\u{85}B', 'A\u{9F}B', '\u{1B}'])(
    'refuses control characters: %j',
    (text) => {
      expect(isFault(readText(text, name))).toBe(true);
      expect(isFault(readText(text, notes))).toBe(true);
    },
  );

  it.each(['A\tB', 'A\nB', 'A\r\nB'])('accepts %j only if line breaks are allowed', (text) => {
    expect(isFault(readText(text, name))).toBe(true);
    expect(readText(text, notes)).toEqual(read(text));
  });

  it('trims a line break at the end, even if line breaks are not allowed', () => {
    expect(readText('Ann\r\n', name)).toEqual(read('Ann'));
  });

  it.each([
    ['x'.repeat(100), true],
    ['x'.repeat(101), false],
    [` ${'x'.repeat(100)} `, true],
    ['\u{1F600}'.repeat(100), true],
    ['\u{1F600}'.repeat(101), false],
    ['e\u{301}'.repeat(100), true],
    ['\u{1FB3}\u{301}'.normalize('NFD').repeat(100), true],
    ['\u{16126}'.normalize('NFD').repeat(100), true],
    ['\u{958}'.repeat(50), true],
    ['\u{958}'.repeat(51), false],
  ])('counts code points after normalising (case %#)', (text, accepted) => {
    const reading = readText(text, name);
    expect(reading).toEqual(accepted ? read(normalizeText(text)) : fault('must be at most 100 characters long'));
  });

  it('counts every composed character as one, however it was sent', () => {
    const refused = [...allCharacters()].filter((character) => {
      const parts = character.normalize('NFD');
      const composes = parts !== character && parts.normalize('NFC') === character;
      return composes && isFault(readText(parts, { max: 1 }));
    });
    expect(refused).toEqual([]);
  });

  it('is fast for many unordered combining marks', () => {
    const hostile = `a${'\u{301}'.repeat(LONG / 2)}${'\u{323}'.repeat(LONG / 2)}`;
    expect(milliseconds(() => readText(hostile, name))).toBeLessThan(1000);
  });

  it('never repeats the sent text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 101, maxLength: 200 }), (text) => {
        const reading = readText(`${text}\u{0}`, name);
        expect(isFault(reading) && !reading.fault.includes(text)).toBe(true);
      }),
    );
  });
});

describe('readIntegerText', () => {
  it.each([
    [9015550101, '9015550101'],
    [0, '0'],
    [-0, '0'],
    [38103.0, '38103'],
    [' 901-555-0101 ', '901-555-0101'],
    ['n/a', 'n/a'],
  ])('reads %p as %j', (value, text) => {
    expect(readIntegerText(value, 20)).toEqual(read(text));
  });

  it.each([[-1], [1.5], [1e21], [2 ** 53], [NaN], [true], [['1']], [{}]])('refuses %p', (value) => {
    expect(isFault(readIntegerText(value, 50))).toBe(true);
  });

  it('limits the length of numbers and texts in the same way', () => {
    expect(readIntegerText(12345, 5)).toEqual(read('12345'));
    expect(readIntegerText(123456, 5)).toEqual(fault('must be at most 5 characters long'));
    expect(readIntegerText('123456', 5)).toEqual(fault('must be at most 5 characters long'));
    expect(isFault(readIntegerText('1\n2', 5))).toBe(true);
  });
});
