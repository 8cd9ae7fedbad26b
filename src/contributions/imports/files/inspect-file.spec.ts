import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { GRACE } from '../../../../test/support/grace-church.js';
import { type InspectedFile, inspectFile } from './inspect-file.js';
import { readMapping } from './mapping.js';

const directory = mkdtempSync(join(tmpdir(), 'offertory-inspect-'));
const path = join(directory, 'gifts.csv');
afterAll(() => {
  rmSync(directory, { recursive: true });
});

function inspect(content: string | Buffer, given: object = {}): Promise<InspectedFile> {
  writeFileSync(path, content);
  return inspectFile({ path, mapping: readMapping(Buffer.from(JSON.stringify(given))), source: 'S', church: GRACE });
}

const HEADER = 'First,Last,Email,Phone,Amount,Date,TransactionId';
const gift = (id: string, date = '2026-07-26'): string => `Ann,Lee,ann@example.org,1,10,${date},${id}`;

describe('a file', () => {
  it('with other lines above its table stops the import, and the printed key reads it', async () => {
    const text = ['Giving of July,,', '', '"Grace, Memphis"', HEADER, gift('1')].join('\n');
    await expect(inspect(text)).rejects.toThrow(/on line 4, below other text\. Add "file": \{"skipLines": 3\}/);
    expect((await inspect(text, { file: { skipLines: 3 } })).rows).toBe(1);
  });

  it('with no names of columns at all is refused as before', async () => {
    await expect(inspect(`${gift('1')}\n${gift('2')}\n`)).rejects.toThrow(/no column is First/);
  });

  it.each(['Total', 'Grand total:', 'TOTALS', 'Sum'])('that ends with a sum stops the import: %s', async (word) => {
    const text = [HEADER, gift('1'), `${word},,,,10,,`].join('\n');
    await expect(inspect(text)).rejects.toThrow(/^Line 3 seems to be a sum.*"file": \{"footer": 1\}/);
    expect((await inspect(text, { file: { footer: 1 } })).rows).toBe(1);
    expect((await inspect(text, { file: { footer: 0 } })).rows).toBe(2);
  });

  it.each<[string, string]>([
    ['a gift', gift('2')],
    ['a gift with a date and an amount in another notation', 'Ann,Lee,ann@example.org,1,"$1.000,50",2026/07/26,2'],
    ['a gift without an id', gift('')],
    ['a gift without a date', gift('2', '')],
    ['a gift whose note is "Total"', 'Ann,Total,ann@example.org,1,10,2026-07-26,2'],
  ])('in which the footer would cut off %s stops the import: its sum is missing', async (_what, last) => {
    const sum = 'Total,,,,20,,';
    expect((await inspect([HEADER, gift('1'), last, sum].join('\n'), { file: { footer: 1 } })).rows).toBe(2);
    const text = ['Giving', HEADER, gift('1'), last, ''].join('\n');
    await expect(inspect(text, { file: { skipLines: 1, footer: 1 } })).rejects.toThrow(
      /^Line 4 seems to be a gift.*Set "footer" to 0/,
    );
    // The last gift is that before the sum.
    const two = ['Giving', HEADER, gift('1'), last, sum].join('\r\n');
    await expect(inspect(two, { file: { skipLines: 1, footer: 2 } })).rejects.toThrow(
      /^Line 4 seems to be a gift, and not one of the 2 lines.*Set "footer" to 1/,
    );
  });

  it('in which the footer would cut off a refund stops the import', async () => {
    const given = { Status: null, refunds: { Status: ['Refunded'] }, file: { footer: 1 } };
    const text = [`${HEADER},Status`, `${gift('1')},Paid`, ',,,,,,1,Refunded'].join('\n');
    await expect(inspect(text, given)).rejects.toThrow(/^Line 3 seems to be a gift/);
  });

  it.each([
    'Total,,,,10,,',
    'Total payments: 12,,,,"1,300.00",,',
    ',,,,10,07/31/2026,',
    'Total,,,,10,07/31/2026,Total',
    'Printed by Ann Lee on 07/31/2026',
    '"Ann said ""hello",,,,,,',
  ])('may end with another line, which the footer cuts off: %s', async (last) => {
    expect((await inspect([HEADER, gift('1'), last, ',,'].join('\n'), { file: { footer: 1 } })).rows).toBe(1);
  });

  it('whose last gift has a cell "Total" does not end with a sum', async () => {
    expect((await inspect([HEADER, 'Ann,Total,ann@example.org,1,10,2026-07-26,1'].join('\n'))).rows).toBe(1);
  });

  it('whose dates cannot all be in the order stops the import, and names the other order', async () => {
    const text = [HEADER, gift('1', '03/04/2026'), gift('2', '26/07/2026')].join('\n');
    await expect(inspect(text)).rejects.toThrow(
      /date on line 3 cannot be in the order M\/D\/Y.*"file": \{"dates": "D\/M\/Y"\}/,
    );
    expect((await inspect(text, { file: { dates: 'D/M/Y' } })).rows).toBe(2);
    await expect(inspect([HEADER, gift('1', '7.26.2026')].join('\n'), { file: { dates: 'D.M.Y' } })).rejects.toThrow(
      /line 2 cannot be in the order D\/M\/Y/,
    );
  });

  it('in UTF-8 is refused if its mapping names another encoding', async () => {
    const text = `${HEADER}\nJosé,Lee,j@example.org,1,10,2026-07-26,1\n`;
    const given = { file: { encoding: 'windows-1252' } };
    await expect(inspect(text, given)).rejects.toThrow(/is UTF-8, and not "windows-1252"/);
    expect((await inspect(Buffer.from(text, 'latin1'), given)).rows).toBe(1);
    expect((await inspect(text.replace('é', 'e'), given)).rows).toBe(1);
  });

  it('is read with the separator that its mapping names', async () => {
    const text = [HEADER, gift('1')].join('\n').replaceAll(',', '|');
    expect((await inspect(text, { file: { separator: '|' } })).rows).toBe(1);
  });
});
