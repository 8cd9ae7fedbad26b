import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { FileCheck } from '../../src/contributions/imports/checking/check-file.js';
import { FORMATS } from '../../src/contributions/imports/formats/formats.js';
import { type GiftFiles, giftFiles } from '../support/gift-file.js';
import { runProgram } from '../support/service-process.js';

let files: GiftFiles;
beforeAll(() => {
  files = giftFiles();
});
afterAll(() => {
  files.remove();
});

/** A command that needs no database. */
const NOWHERE = { DATABASE_URL: 'postgres://127.0.0.1:1/nowhere' };

async function check(path: string): Promise<FileCheck> {
  const { stdout, stderr, code } = await runProgram('cli', ['import', 'check', path, '--json'], NOWHERE);
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as FileCheck;
}

describe('import check', () => {
  it('recognises the export of each processor', async () => {
    for (const { name } of FORMATS) {
      const path = new URL(`processor-files/${name}.csv`, import.meta.url).pathname;
      const lines = readFileSync(path, 'utf8').trim().split('\n').length;
      expect(await check(path)).toMatchObject({ format: name, mapping: {}, rows: lines - 1 });
    }
  });

  it('proposes a mapping for an unknown file, and shows its first rows', async () => {
    const text = [
      'Giving report;;;;;',
      'Member;E-mail address;Date of gift;Gross;Fund;Status',
      'Lee, Zoë;zoe@example.org;26.07.2026;1.250,00 $;General;Paid',
      'Ray, Bob;bob@example.org;03.08.2026;20,00 $;Building;Refunded',
      'Ray, Bob;bob@example.org;03.08.2026;30,00 $;Building;Queried',
      'Total;;;1.300,00 $;;',
    ].join('\r\n');
    const found = await check(files.write('unknown.csv', Buffer.from(text, 'latin1')));
    expect(found.mapping).toEqual({
      'E-mail address': 'Email',
      'Date of gift': 'Date',
      Gross: 'Amount',
      Fund: 'FundName',
      defaults: { Phone: null },
      only: { Status: ['Paid'] },
      refunds: { Status: ['Refunded'] },
      leaveOut: { Status: ['Queried'] },
      file: { encoding: 'windows-1252', skipLines: 1, footer: 1, dates: 'D/M/Y', amounts: '1.234,56' },
    });
    // "Member" may be a number: a person has to say what it is.
    expect(found.rows).toBeNull();
    expect(found.remarks.join('\n')).toMatch(
      /not UTF-8[^]*"Status" is "Queried" are left out[^]*no column is First, Last/,
    );

    const mapping = { ...found.mapping, Member: { name: 'Last, First' } };
    const path = files.write('unknown.json', JSON.stringify(mapping));
    const args = ['import', files.write('again.csv', Buffer.from(text, 'latin1')), '--user', 'api', '--source', 'S'];
    const { stderr } = await runProgram('cli', [...args, '--mapping', path, '--patience', '0'], NOWHERE);
    expect(stderr).toMatch(
      /Reads "Member" as First and Last, .*\n.*\nRecords gifts where "Status" is "paid"; leaves rows out where it is "queried"; refuses any other value\./,
    );
  });

  it('proposes no footer that would cut off a gift', async () => {
    const header = 'First,Last,Email,Phone,Amount,Date,Notes';
    const gift = (notes: string): string => `Ann,Lee,a@example.org,1,5,2026-07-26,${notes}`;
    const found = await check(files.write('total.csv', [header, gift(''), gift('Total')].join('\n')));
    expect([found.mapping, found.rows]).toEqual([expect.not.objectContaining({ file: expect.anything() }), 2]);
    const after = await check(files.write('after.csv', [header, gift('Total'), 'Sum,,,,5,,', 'Printed'].join('\n')));
    expect([after.mapping, after.rows]).toEqual([expect.objectContaining({ file: { footer: 2 } }), 1]);
    // A gift that was cut off in the middle is no other line.
    const cut = [header, gift(''), 'Bob,Lee,b@example.org,1,7,2026-07-26'].join('\n');
    await expect(check(files.write('cut.csv', cut))).rejects.toThrow(/line 3 cannot be read: it has fewer cells/);
  });

  it('says that dates and amounts are unclear', async () => {
    const text = 'First,Last,Email,Phone,Amount,Date,Id\nAnn,Lee,a@example.org,1,"1,234",03/04/2026,T1\n';
    const { mapping, remarks } = await check(files.write('unclear.csv', text));
    expect(mapping).not.toHaveProperty('file');
    expect(remarks.join('\n')).toMatch(/Dates such as "03\/04\/2026" can be of two orders/);
    expect(remarks.join('\n')).toMatch(/Amounts such as "1,234" can be read in two ways/);
  });

  it.each<[string, string | Buffer, RegExp]>([
    ['a spreadsheet', Buffer.from('PK\u{3}\u{4}'), /It is a spreadsheet/],
    ['a web page', '<!doctype html>', /It is a web page/],
    ['a quotation mark that is never closed', 'First,Last\n"Ann,Lee\n', /never closed/],
  ])('refuses %s', async (_what, content, message) => {
    await expect(check(files.write('refused.csv', content))).rejects.toThrow(message);
  });

  it('prints the mapping alone on standard output', async () => {
    const path = files.write('plain.csv', 'First,Last,Email,Phone,Amount,Date\nAnn,Lee,a@example.org,1,5,2026-07-26\n');
    const { stdout, stderr } = await runProgram('cli', ['import', 'check', path], NOWHERE);
    expect(JSON.parse(stdout)).toEqual({
      First: 'First',
      Last: 'Last',
      Email: 'Email',
      Phone: 'Phone',
      Amount: 'Amount',
      Date: 'Date',
    });
    expect(stderr).toMatch(/1 rows can be read with this mapping.*\n {2}line 2, gift: \{/);
  });
});
