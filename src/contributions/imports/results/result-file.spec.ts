import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { guardFormulas } from '../../../values/texts/spreadsheet.js';
import { csvLine, ResultFile, type RowResult } from './result-file.js';

const directory = mkdtempSync(join(tmpdir(), 'offertory-result-'));
const path = join(directory, 'result.csv');
beforeEach(() => {
  writeFileSync(path, 'of an earlier run');
});
afterAll(() => {
  rmSync(directory, { recursive: true });
});

const RESULT: RowResult = {
  row: 1,
  line: 2,
  transactionId: 'T1',
  status: 'recorded',
  contributionId: 7,
  peopleId: 8,
  newPerson: true,
  multipleMatches: false,
  review: ['closed_fund', 'similar_row'],
  similarTo: 5,
  code: null,
  error: null,
};

describe('a line of CSV', () => {
  it('is read back unchanged, except for guarded formulas', () => {
    const cell = fc.string({ unit: fc.constantFrom(...Array.from('a1 é😀,;"\'=+-@\u{FF1D}\t'), '\r', '\n') });
    fc.assert(
      fc.property(fc.array(cell, { minLength: 1, maxLength: 5 }), (cells) => {
        const [read] = parse(csvLine(cells), { record_delimiter: '\r\n' });
        expect(read).toEqual(cells.map(guardFormulas));
        for (const text of read ?? []) expect(text).not.toMatch(/^[=+\-@\t\r\u{FF1D}]/u);
      }),
    );
  });

  it('does not change numbers and flags', () => {
    expect(csvLine([-1, true, null, ''])).toBe('-1,true,,\r\n');
  });
});

describe('the result file', () => {
  it('replaces an earlier file when it is complete', async () => {
    const result = await ResultFile.create(path);
    await result.write(RESULT);
    expect(readFileSync(path, 'utf8')).toBe('of an earlier run');
    await result.finish();
    expect(readFileSync(path, 'utf8')).toBe(
      'Row,Line,TransactionId,Status,ContributionId,PeopleId,NewPerson,MultipleMatches,Code,Error,Review,SimilarTo\r\n' +
        '1,2,T1,recorded,7,8,true,false,,,closed_fund similar_row,5\r\n',
    );
    expect(readdirSync(directory)).toEqual(['result.csv']);
  });

  it('is stored beside an earlier file when it is incomplete', async () => {
    const result = await ResultFile.create(path);
    await result.write(RESULT);
    expect(await result.abandon()).toBe(`${path}.partial`);
    expect(readFileSync(path, 'utf8')).toBe('of an earlier run');
    expect(readFileSync(`${path}.partial`, 'utf8')).toContain('T1,recorded');
  });

  it('is refused if it cannot be written', async () => {
    await expect(ResultFile.create(join(directory, 'nowhere', 'result.csv'))).rejects.toThrow(/--result/);
  });
});
