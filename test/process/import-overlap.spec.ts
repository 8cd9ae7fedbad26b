import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type GiftFiles, giftFiles } from '../support/gift-file.js';
import { assertLedgerInvariants } from '../support/ledger-invariants.js';
import { runProgram } from '../support/service-process.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let service: TestApp;
let files: GiftFiles;

beforeAll(async () => {
  service = await startTestApp();
  files = giftFiles();
});
afterAll(async () => {
  await assertLedgerInvariants(service.database);
  files.remove();
  await service.stop();
});

const environment = (): Record<string, string> => ({ DATABASE_URL: service.database.url });
const HEADER = 'First,Last,Email,Phone,Amount,Date,FundId,Notes';
const sue = (end: string): string => `Sue,Split,sue@x.org,n/a,50.00,2025-11-20,${end}`;

/** Imports a file of these rows. @returns the status and code of each row */
async function importRows(source: string, rows: readonly string[], ...options: string[]): Promise<string[]> {
  const path = files.write(`${source}.csv`, [HEADER, ...rows].join('\n'));
  const mapping = files.write('mapping.json', JSON.stringify({ FundId: 'FundId' }));
  const args = ['import', path, '--user', 'api', '--source', source, '--mapping', mapping, ...options];
  await runProgram('cli', args, environment());
  const result = files.read(`${path}.${options.includes('--dry-run') ? 'dry-run' : 'result'}.csv`);
  return result.map(({ Status, Code }) => `${Status ?? ''} ${Code ?? ''}`.trim());
}

async function booked(source: string): Promise<string[]> {
  const rows = await service.database.query<{ row: string }>(
    `SELECT concat_ws(',', fund_id, notes) AS row FROM contribution WHERE source = $1 ORDER BY 1`,
    [source],
  );
  return rows.map(({ row }) => row);
}

describe('import of rows without an id that overlap an earlier import', () => {
  beforeAll(() => service.database.query(`INSERT INTO fund (name) VALUES ('Building')`));

  it('records a new row before an already recorded one, and does not record that one twice', async () => {
    expect(await importRows('fuller', [sue('2,')])).toEqual(['recorded']);
    const fuller = [sue('1,'), sue('2,')];
    expect(await importRows('fuller', fuller, '--dry-run')).toEqual(['would be recorded', 'already recorded']);
    expect(await importRows('fuller', fuller)).toEqual(['recorded', 'already recorded']);
    expect(await booked('fuller')).toEqual(['1', '2']);
  });

  it('refuses equal rows if a similar gift is recorded that the file no longer has', async () => {
    expect(await importRows('changed', [sue('1,')])).toEqual(['recorded']);
    const refused = 'refused transaction_id_reused';
    expect(await importRows('changed', [sue('1,new note'), sue('1,new note')])).toEqual([refused, refused]);
    expect(await booked('changed')).toEqual(['1']);
    expect(await importRows('changed', [sue('1,new note'), sue('1,')])).toEqual(['recorded', 'already recorded']);
    expect(await booked('changed')).toEqual(['1', '1,new note']);
  });

  it('recognizes a gift without FundId after the default fund has changed', async () => {
    expect(await importRows('default', [sue(',')])).toEqual(['recorded']);
    await service.database.query('UPDATE fund SET is_default = false WHERE is_default');
    await service.database.query(`UPDATE fund SET is_default = true WHERE name = 'Building'`);
    expect(await importRows('default', [sue(',')])).toEqual(['already recorded']);
    expect(await booked('default')).toEqual(['1']);
  });
});

describe('import of rows whose dates were read differently before', () => {
  const DATED = [
    'First,Last,Email,Phone,Amount,Date,TransactionId',
    'Ann,Dated,ann.dated@x.org,n/a,50.00,03/04/2026,',
    'Bob,Dated,bob.dated@x.org,n/a,60.00,2026-03-01 10:00,',
    'Cid,Dated,cid.dated@x.org,n/a,70.00,2026-03-01 11:00,T1',
  ].join('\n');

  async function importAs(file: object): Promise<Record<string, string>[]> {
    const path = files.write('dated.csv', DATED);
    const mapping = files.write('dated.json', JSON.stringify({ file }));
    const args = ['import', path, '--user', 'api', '--source', 'dated', '--mapping', mapping];
    const church = { CHURCH_COUNTRY: 'US', CHURCH_TIME_ZONE: 'America/Chicago' };
    await runProgram('cli', args, { ...environment(), ...church });
    return files.read(`${path}.result.csv`);
  }

  it('recognizes, refuses or lists them for review, and records none twice unnoticed', async () => {
    const first = await importAs({});
    expect(first.map(({ Status }) => Status)).toEqual(['recorded', 'recorded', 'recorded']);
    const inChurchTime = await importAs({ timeZone: 'America/Chicago' });
    expect(inChurchTime.map(({ Status }) => Status)).toEqual(Array(3).fill('already recorded'));
    const other = await importAs({ timeZone: 'UTC', dates: 'D/M/Y' });
    expect(other).toMatchObject([
      { Status: 'recorded', Review: 'similar_row', SimilarTo: first[0]?.['ContributionId'] },
      { Status: 'refused', Code: 'transaction_id_reused', Error: expect.stringContaining('read in church time') },
      { Status: 'refused', Code: 'transaction_id_reused' },
    ]);
    await service.reverse(`${first[1]?.['ContributionId'] ?? ''}/refund`).expect(200);
    const corrected = await importAs({ timeZone: 'UTC', dates: 'D/M/Y' });
    expect(corrected.map(({ Status }) => Status)).toEqual(['already recorded', 'recorded', 'refused']);
  });
});
