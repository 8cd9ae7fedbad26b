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

/** Imports these rows of a file. @returns what became of each, and its code */
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

describe('import of rows without an id that another import has had in part', () => {
  beforeAll(() => service.database.query(`INSERT INTO fund (name) VALUES ('Building')`));

  it('books a new row in front of one that is booked, and that one no second time', async () => {
    expect(await importRows('fuller', [sue('2,')])).toEqual(['recorded']);
    const fuller = [sue('1,'), sue('2,')];
    expect(await importRows('fuller', fuller, '--dry-run')).toEqual(['would be recorded', 'already recorded']);
    expect(await importRows('fuller', fuller)).toEqual(['recorded', 'already recorded']);
    expect(await booked('fuller')).toEqual(['1', '2']);
  });

  it('books nothing of rows alike when one that is booked stands there in other words', async () => {
    expect(await importRows('changed', [sue('1,')])).toEqual(['recorded']);
    const refused = 'refused transaction_id_reused';
    expect(await importRows('changed', [sue('1,new note'), sue('1,new note')])).toEqual([refused, refused]);
    expect(await booked('changed')).toEqual(['1']);
    expect(await importRows('changed', [sue('1,new note'), sue('1,')])).toEqual(['recorded', 'already recorded']);
    expect(await booked('changed')).toEqual(['1', '1,new note']);
  });

  it('finds a gift again that named no fund, whichever is the default meanwhile', async () => {
    expect(await importRows('default', [sue(',')])).toEqual(['recorded']);
    await service.database.query('UPDATE fund SET is_default = false WHERE is_default');
    await service.database.query(`UPDATE fund SET is_default = true WHERE name = 'Building'`);
    expect(await importRows('default', [sue(',')])).toEqual(['already recorded']);
    expect(await booked('default')).toEqual(['1']);
  });
});
