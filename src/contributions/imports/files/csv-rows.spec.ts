import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type CsvFormat, type CsvRow, csvRows, delimiterOf } from './csv-rows.js';
import { ImportError } from '../import-error.js';
import { isBlank } from '../../../values/index.js';

const directory = mkdtempSync(join(tmpdir(), 'offertory-csv-'));
const path = join(directory, 'gifts.csv');
afterAll(() => {
  rmSync(directory, { recursive: true });
});

type Delimiter = CsvFormat['delimiter'];

async function read(content: string | Buffer, delimiter: Delimiter = ',', format: object = {}): Promise<CsvRow[]> {
  writeFileSync(path, content);
  const rows: CsvRow[] = [];
  for await (const row of csvRows(path, { delimiter, ...format })) rows.push(row);
  return rows;
}

const lineEnd = fc.constantFrom('\n', '\r\n', '\r');
const delimiter = fc.constantFrom<Delimiter>(',', ';', '\t');
const cell = fc.string({
  unit: fc.constantFrom(...Array.from('ab é漢😀,;\t"\'='), '\n', '\r\n', '\u{2028}', '\u{85}'),
  maxLength: 6,
});
const table = fc
  .integer({ min: 2, max: 5 })
  .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 8 }));

function written(text: string, quotesAll: boolean): string {
  return quotesAll || /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

describe('reading CSV', () => {
  it('returns every cell and the line on which its row begins', async () => {
    await fc.assert(
      fc.asyncProperty(
        table,
        delimiter,
        lineEnd,
        fc.record({ bom: fc.boolean(), quotesAll: fc.boolean(), endsWithLineEnd: fc.boolean(), gap: fc.nat(3) }),
        async (below, by, end, { bom, quotesAll, endsWithLineEnd, gap }) => {
          const rows = [below[0]?.map((_cell, i) => `column ${i}`) ?? [], ...below];
          const lines = rows.map((row) => row.map((text) => written(text, quotesAll)).join(by));
          const text = lines.join(end + end.repeat(gap));
          let line = 1;
          const expected = rows.flatMap((cells) => {
            const begin = line;
            line += 1 + gap + (cells.join('').match(/\r\n|\r|\n/g)?.length ?? 0);
            return cells.some((content) => !isBlank(content)) ? [{ line: begin, cells }] : [];
          });
          const content = `${bom ? '\u{FEFF}' : ''}${text}${endsWithLineEnd ? end : ''}`;
          expect(await read(content, by)).toEqual(expected);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('reads characters correctly at the border of two chunks of the file', async () => {
    const name = '漢é😀'.repeat(20);
    const rows = await read(`First,Last\n${`${name},${name}\n`.repeat(2_000)}`);
    expect(rows).toHaveLength(2_001);
    expect(new Set(rows.slice(1).flatMap(({ cells }) => cells))).toEqual(new Set([name]));
  });

  it('ignores empty cells at the end of rows, including the header, and empty rows', async () => {
    const rows = await read('a,b,, ,\n1,2\n3,,,,,\n,,,,,,,,\n , \n4,5,"",\u{A0}\n');
    expect(rows.map(({ cells }) => cells)).toEqual([
      ['a', 'b'],
      ['1', '2'],
      ['3', ''],
      ['4', '5'],
    ]);
  });

  it('accepts different line ends in one file', async () => {
    expect((await read('a,b\r\n1,2\n3,4\r5,6')).map(({ cells }) => cells.join(''))).toEqual(['ab', '12', '34', '56']);
  });

  it.each([
    ['too few cells', 'a,b\r\n"1\r\n",2\r\n\r\n3\r\n', /on line 5 .*fewer cells .* \(2\)/],
    ['too many cells', 'a,b\n1,2,3\n', /on line 2 .*more cells .* \(2\)/],
    ['too many cells after empty ones', 'a,b\n1,2,,,John\n', /on line 2 .*more cells/],
    ['too few cells beside empty names', 'a,b,,\n1\n', /on line 2 .*fewer cells/],
    ['a quotation mark never closed', 'a,b\n1,"2\n3,4\n', /on line 2 .*never closed/],
    ['a quotation mark within a cell', 'a,b\n1,2\n3,John "Jack" Smith\n', /on line 3 .*contains a quotation mark/],
    ['text after a closing quotation mark', 'a,b\n1,"2"3\n', /on line 2 .*closes a cell/],
    ['a row without an end', `a,b\n1,"${'x'.repeat(1_100_000)}"\n`, /on line 2 .*longer than 1000000/],
  ])('refuses %s, and names the line but not its content', async (_what, content, message) => {
    await expect(read(content)).rejects.toThrow(message);
    await expect(read(content)).rejects.not.toThrow(/John/);
  });

  it.each([
    ['Windows-1252', Buffer.from('a,b\r\nJosé,Núñez\r\n', 'latin1'), /not UTF-8: line 2 .*"encoding": "windows-1252"/],
    ['half a character at the end', Buffer.from('a,b\n1,é').subarray(0, -1), /not UTF-8: line 2/],
    ['an overlong encoding', Buffer.from([0x61, 0x0a, 0xc0, 0xaf]), /not UTF-8: line 2/],
    ['a spreadsheet', Buffer.from('PK\u{3}\u{4} workbook.xml'), /spreadsheet.*save the sheet as "CSV UTF-8"/],
    ['an old spreadsheet', Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1]), /old spreadsheet/],
    ['a web page', Buffer.from('\u{FEFF}\r\n<!DOCTYPE html><html>'), /web page/],
    ['a web page in UTF-16', Buffer.from('\u{FEFF}<html>', 'utf16le'), /web page/],
    ['a PDF', Buffer.from('%PDF-1.7'), /PDF/],
    ['zeros among other bytes', Buffer.from([0x61, 0, 0, 0x62, 0, 0, 0, 7]), /unknown encoding/],
  ])('refuses %s', async (_what, content, message) => {
    await expect(read(content)).rejects.toThrow(ImportError);
    await expect(read(content)).rejects.toThrow(message);
  });

  it('finds the line with invalid bytes in a large file', async () => {
    const lines = `${'Ann,Lee\n'.repeat(30_000)}Jos\u{e9},Lee\n${'Ann,Lee\n'.repeat(10)}`;
    await expect(read(Buffer.from(lines, 'latin1'))).rejects.toThrow(/line 30001 /);
  });
});

describe('reading other encodings', () => {
  const TEXT = 'First,Last\r\nJosé,Núñez\r\n漢,字\r\n';
  const CELLS = [
    ['First', 'Last'],
    ['José', 'Núñez'],
    ['漢', '字'],
  ];

  it.each<[string, Buffer, object]>([
    ['UTF-16, little end first', Buffer.from(`\u{FEFF}${TEXT}`, 'utf16le'), {}],
    ['UTF-16, big end first', Buffer.from(`\u{FEFF}${TEXT}`, 'utf16le').swap16(), {}],
    ['UTF-16 without a mark', Buffer.from(TEXT, 'utf16le'), {}],
    ['UTF-16 without a mark, big end first', Buffer.from(TEXT, 'utf16le').swap16(), {}],
    ['UTF-8 with a mark, whatever the mapping says', Buffer.from(`\u{FEFF}${TEXT}`), { encoding: 'windows-1252' }],
  ])('recognizes %s', async (_what, content, format) => {
    expect((await read(content, ',', format)).map(({ cells }) => cells)).toEqual(CELLS);
  });

  it('reads the encoding that the mapping names', async () => {
    const euro = Buffer.from([0x61, 0x2c, 0x80, 0x0a, 0xe9, 0x2c, 0x31, 0x0a]);
    const rows = await read(euro, ',', { encoding: 'windows-1252' });
    expect(rows.map(({ cells }) => cells)).toEqual([
      ['a', '€'],
      ['é', '1'],
    ]);
  });

  it('names the line with bytes that the encoding does not have', async () => {
    const invalid = Buffer.from([0x61, 0x2c, 0x62, 0x0d, 0x0a, 0x63, 0x2c, 0xff, 0x0a]);
    await expect(read(invalid, ',', { encoding: 'shift_jis' })).rejects.toThrow(/not SHIFT_JIS: line 2/);
  });
});

describe('lines around the table', () => {
  it('are left out, and the lines of the rows are still those of the file', async () => {
    const text = 'Giving report\r\n"of Grace,\r\n\r\na,b\r\n1,2\r\n3,4\r\nTotal,6\r\n,,\r\nPrinted today\r\n\r\n';
    expect(await read(text, ',', { skipLines: 3, footer: 2 })).toEqual([
      { line: 4, cells: ['a', 'b'] },
      { line: 5, cells: ['1', '2'] },
      { line: 6, cells: ['3', '4'] },
    ]);
  });

  it('are left out wherever a part of the file ends', async () => {
    const lineEnds = fc.constantFrom('\n', '\r\n', '\r');
    // The file is read in parts of 64 KiB, so that a long line moves the border.
    const border = fc.integer({ min: 65_520, max: 65_545 });
    await fc.assert(
      fc.asyncProperty(lineEnds, border, fc.nat(3), fc.nat(3), async (end, length, above, below) => {
        const before = Array.from({ length: above }, (_, i) => (i === 0 ? 'x'.repeat(length) : `above ${i}`));
        const table = ['a,b', `1,${'y'.repeat(above === 0 ? length : 3)}`, '2,3'];
        const after = Array.from({ length: below }, (_, i) => `below ${i}`);
        const rows = await read([...before, ...table, ...after, ''].join(end), ',', {
          skipLines: above,
          footer: below,
        });
        expect(rows.map(({ cells }) => cells.join(','))).toEqual(table);
        expect(rows.map(({ line }) => line)).toEqual([1, 2, 3].map((line) => line + above));
      }),
      { numRuns: 60 },
    );
  });

  it('are all of the file if there are not more', async () => {
    expect(await read('a,b\n', ',', { skipLines: 5 })).toEqual([]);
    expect(await read('a,b\n1,2\n', ',', { footer: 2 })).toEqual([]);
  });
});

describe('the delimiter of', () => {
  it.each<[string, Delimiter]>([
    ['First,Last', ','],
    ['First;Last;Notes, or none\nAnn,Lee,,,,', ';'],
    ['First\tLast\r\n', '\t'],
    ['"a;b;c",d', ','],
    ['\n\nFirst;Last', ';'],
    ['First', ','],
    ['', ','],
  ])('%j', (head, expected) => {
    expect(delimiterOf(head)).toBe(expected);
  });
});
