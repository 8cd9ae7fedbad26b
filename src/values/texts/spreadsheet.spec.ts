import { describe, expect, it } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { SPREADSHEET_CSV } from './spreadsheet.js';

describe('a text in a spreadsheet', () => {
  it.each([
    ['a;=1+1', "a;'=1+1"],
    ['a; =1+1', "a; '=1+1"],
    ['a;"=1+1"', `a;"'=1+1"`],
    ['a,+1', "a,'+1"],
    ['a\t-1', "a\t'-1"],
    ['a\n@SUM(A1)', "a\n'@SUM(A1)"],
    ['a;＝1+1', "a;'＝1+1"],
    ['=1;=2', "'=1;'=2"],
    ['For roof; organ, and 1+1 = 2', 'For roof; organ, and 1+1 = 2'],
    ['a-b, c', 'a-b, c'],
  ])('%j is read as %j', (text, shown) => {
    const [[read]] = parse(stringify([[text]], SPREADSHEET_CSV), { record_delimiter: '\r\n' }) as [[string]];
    expect(read).toBe(shown);
  });

  it('is not a formula with any list separator', () => {
    const text = fc.string({ unit: fc.constantFrom('a', ' ', ';', ',', '\t', '\n', '"', '=', '+', '-', '@', "'") });
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 3 }), fc.constantFrom(',', ';', '\t'), (row, separator) => {
        for (const line of stringify([row], SPREADSHEET_CSV).split(/\r\n|\n|\r/))
          // Splits like a program that ignores quotation marks within a cell.
          for (const cell of line.split(separator)) expect(cell.replace(/^[\s"]+/, '')).not.toMatch(/^[=+\-@]/);
      }),
    );
  });
});
