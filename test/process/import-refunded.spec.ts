import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type GiftFiles, giftFiles } from '../support/gift-file.js';
import { assertLedgerInvariants } from '../support/ledger-invariants.js';
import { runProgram } from '../support/service-process.js';
import { type Login, startTestApp, type TestApp } from '../support/test-app.js';

let service: TestApp;
let files: GiftFiles;
let finance: Login;

beforeAll(async () => {
  service = await startTestApp();
  files = giftFiles();
  finance = await service.createUser('treasurer', 'correct horse battery', ['Finance']);
  await service.database.query(`INSERT INTO fund (name) VALUES ('Building')`);
});
afterAll(async () => {
  await assertLedgerInvariants(service.database);
  files.remove();
  await service.stop();
});

const HEADER = 'Id,First,Last,Email,Phone,Amount,Date,Fund,Refunded so far,Refund of';
const MAPPING = { Id: 'TransactionId', Fund: 'FundName', 'Refunded so far': 'RefundedAmount', 'Refund of': 'RefundOf' };

const gift = (id: string, amount: string, refunded: string, fund = ''): string =>
  `${id},Ann,Refunded${id},${id}@example.org,n/a,${amount},2026-07-26,${fund},${refunded},`;
const refund = (id: string, of: string, amount: string): string => `${id},,,,,${amount},2026-07-27,,,${of}`;

/** Runs an import. @returns the status of each row, in the order in which they were recorded. */
async function statuses(
  source: string,
  lines: readonly string[],
  ...options: string[]
): Promise<(string | undefined)[]> {
  return (await importRows(source, lines, ...options)).map(({ Status }) => Status);
}

async function importRows(
  source: string,
  lines: readonly string[],
  ...options: string[]
): Promise<Record<string, string>[]> {
  const path = files.write(`${source}.csv`, `${[HEADER, ...lines].join('\n')}\n`);
  const mapping = files.write(`${source}.json`, JSON.stringify(MAPPING));
  const args = ['import', path, '--user', 'api', '--source', source, '--mapping', mapping, '--json', ...options];
  const { stdout } = await runProgram('cli', args, { DATABASE_URL: service.database.url });
  return files.read((JSON.parse(stdout) as { result: string }).result);
}

interface Left {
  id: number;
  reversed: string;
  entries: number;
}

async function left(source: string): Promise<Left[]> {
  return service.database.query<Left>(
    `SELECT id, reversed_amount AS reversed,
       (SELECT count(*)::integer FROM contribution entry WHERE entry.reverses_id = gift.id) AS entries
     FROM contribution gift WHERE source = $1 AND reverses_id IS NULL ORDER BY transaction_id, id`,
    [source],
  );
}

describe('a column with the amount refunded so far', () => {
  it('brings the reversed total up to it, and never beyond', async () => {
    expect(await statuses('grows', [gift('G1', '50', '0.00')])).toEqual(['recorded']);
    expect(await statuses('grows', [gift('G1', '50', '10.00')])).toEqual(['reversed']);
    expect(await statuses('grows', [gift('G1', '50', '10.00')])).toEqual(['already recorded']);
    expect(await statuses('grows', [gift('G1', '50', '-35.50')])).toEqual(['reversed']);
    expect(await statuses('grows', [gift('G1', '50', '20.00')])).toEqual(['already recorded']);
    expect(await left('grows')).toMatchObject([{ reversed: '35.50', entries: 2 }]);
    expect(await statuses('grows', [gift('G1', '50', '50')])).toEqual(['reversed']);
    expect(await statuses('grows', [gift('G1', '50', '50')])).toEqual(['already recorded (reversed)']);
    expect(await left('grows')).toMatchObject([{ reversed: '50.00', entries: 3 }]);
  });

  it('counts what the processor has reversed itself, and what Finance has reinstated', async () => {
    await statuses('mixed', [gift('M1', '50', '')]);
    const [{ id } = { id: 0 }] = await left('mixed');
    await service.reverse(`${id}/mixed?amount=20&refundId=re_1`).expect(200);
    expect(await statuses('mixed', [gift('M1', '50', '30')])).toEqual(['reversed']);
    expect(await left('mixed')).toMatchObject([{ reversed: '30.00', entries: 2 }]);
    const entries = await service.database.query<{ id: number }>(
      'SELECT id FROM contribution WHERE reverses_id = $1 ORDER BY id',
      [id],
    );
    // The dispute of the second refund is won.
    await service
      .http()
      .post(`/Api/Contributions/${entries[1]?.id}/reinstate`)
      .auth(...finance)
      .expect(200);
    expect(await statuses('mixed', [gift('M1', '50', '30')])).toEqual(['already recorded']);
  });

  it('refuses more than the gift, and records nothing of the row', async () => {
    const [row] = await importRows('more', [gift('X1', '50', '50.01')]);
    expect(row).toMatchObject({
      Status: 'refused',
      Error: expect.stringContaining('RefundedAmount must be at most Amount'),
    });
    expect((await importRows('more', [gift('X1', '50', 'some')]))[0]).toMatchObject({ Status: 'refused' });
    expect(await left('more')).toEqual([]);
  });

  it('is the sum of all rows of a payment, taken from its funds in proportion', async () => {
    const lines = [gift('P1', '60', '6', 'General'), gift('P1', '40', '4', 'Building')];
    expect(await statuses('parts', lines)).toEqual(['recorded and reversed', 'recorded and reversed']);
    // The parts are in the order of their funds.
    expect(await left('parts')).toMatchObject([{ reversed: '4.00' }, { reversed: '6.00' }]);
  });

  it('is predicted by a dry run', async () => {
    expect(await statuses('dry', [gift('D1', '50', '5')], '--dry-run')).toEqual(['would be recorded and reversed']);
    await statuses('dry', [gift('D1', '50', '')]);
    expect(await statuses('dry', [gift('D1', '50', '5')], '--dry-run')).toEqual(['would be reversed']);
    expect(await left('dry')).toMatchObject([{ reversed: '0.00' }]);
  });
});

describe('a refund with an id of its own', () => {
  it('takes back the gift that it names, once, also if it is above the gift', async () => {
    const lines = [refund('R1', 'O1', '-20'), refund('R2', 'O1', '(5)'), gift('O1', '50', '')];
    const file = lines.map((line) => line.replace('(5)', '-5'));
    expect(await statuses('own', file)).toEqual(['recorded', 'reversed', 'reversed']);
    expect(await statuses('own', file)).toEqual(['already recorded', 'already reversed', 'already reversed']);
    expect(await left('own')).toMatchObject([{ reversed: '25.00', entries: 2 }]);
    // The processor has sent the same refund.
    const [{ id } = { id: 0 }] = await left('own');
    const again = await service.reverse(`${id}/own?amount=20&refundId=R1`).expect(200);
    expect(again.headers['idempotency-replayed']).toBe('true');
  });

  it('is refused if there is no such gift', async () => {
    expect((await importRows('none', [refund('R9', 'O9', '5')]))[0]).toMatchObject({ Code: 'contribution_not_found' });
  });
});
