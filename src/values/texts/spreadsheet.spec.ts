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
  ])('%j reads as %j', (text, told) => {
    const [[read]] = parse(stringify([[text]], SPREADSHEET_CSV), { record_delimiter: '\r\n' }) as [[string]];
    expect(read).toBe(told);
  });

  it('is no formula, whatever the list separator of whoever opens it', () => {
    const text = fc.string({ unit: fc.constantFrom('a', ' ', ';', ',', '\t', '\n', '"', '=', '+', '-', '@', "'") });
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 3 }), fc.constantFrom(',', ';', '\t'), (row, separator) => {
        for (const line of stringify([row], SPREADSHEET_CSV).split(/\r\n|\n|\r/))
          // One that knows no quotation mark in the middle of a cell.
          for (const cell of line.split(separator)) expect(cell.replace(/^[\s"]+/, '')).not.toMatch(/^[=+\-@]/);
      }),
    );
  });
});
