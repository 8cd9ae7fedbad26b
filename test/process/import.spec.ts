import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { processActor } from '../../src/audit/index.js';
import { type GiftFiles, giftFiles } from '../support/gift-file.js';
import { assertLedgerInvariants } from '../support/ledger-invariants.js';
import { type Outcome, runProgram, startProgram } from '../support/service-process.js';
import { gift, startTestApp, type TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';

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
const importFile = (path: string, ...options: string[]): Promise<Outcome> =>
  runProgram('cli', ['import', path, '--user', 'api', ...options], environment());

async function booked(source: string): Promise<Record<string, unknown>[]> {
  return await service.database.query(
    `SELECT giver_first AS first, amount, day::text, notes, person_id, transaction_id FROM contribution
     WHERE source = $1 AND reverses_id IS NULL ORDER BY giver_first, transaction_id`,
    [source],
  );
}

/** The audit entries of imports from this source, oldest first. */
async function auditEntries(
  source: string,
): Promise<{ action: string; subject: string; actor: string; details: object }[]> {
  return await service.database.query(
    `SELECT action, subject, actor, details FROM audit_entry WHERE subject IN
       (SELECT subject FROM audit_entry WHERE action = 'import.begin' AND details ->> 'source' = $1) ORDER BY id`,
    [source],
  );
}

async function countOf(table: string): Promise<number> {
  const [row] = await service.database.query<{ count: number }>(`SELECT count(*)::integer FROM ${table}`);
  return row?.count ?? 0;
}

/** A processor's export: its own order of columns, quoted fields, Windows line ends, a byte order mark. */
const EXPORT = [
  '\u{FEFF}Transaction,AMOUNT,first,Last,Email,Phone,Date,Fee,Notes',
  'T1,10,Ann,O’Dell,ann@example.org,901-555-0101,7/26/2026,0.30,"For the ""roof"",',
  'and the organ"',
  'T2,10.5,Ann,ODell,ann@example.org,n/a,2026-07-27,0.30,',
  '=T3,"$1,000.00",Bob,Lee,bob@example.org,1,2026-07-27,,',
  'T4,20,Bob,Lee,bob@example.org,1,2026-02-30,,',
  ',5,Cid,Lee,cid@example.org,1,2026-07-27,,',
  ',5.00,Cid,Lee,cid@example.org,1,2026-07-27,,',
  'T1,11,Ann,O’Dell,ann@example.org,901-555-0101,7/26/2026,,',
  '',
].join('\r\n');
const MAPPING = JSON.stringify({ transaction: 'TransactionId', defaults: { BundleTypeId: 5 } });

describe('import', () => {
  it('records valid rows by the rules of the API, reports each row, and records the rest once corrected', async () => {
    const path = files.write('gifts.csv', EXPORT);
    const options = ['--mapping', files.write('mapping.json', MAPPING), '--source', 'export'];
    const first = await importFile(path, ...options, '--json');
    expect(first.code).toBe(1);
    expect(JSON.parse(first.stdout)).toEqual({
      rows: 7,
      recorded: 4,
      alreadyRecorded: 0,
      refused: 3,
      result: `${path}.result.csv`,
    });
    expect(first.stderr).toContain('Ignores "Fee".');
    expect(first.stderr).toContain('Row 3 (line 5) is refused: Amount must be digits');
    const result = files.read(`${path}.result.csv`);
    expect(result.map(({ Row, Line, Status, NewPerson, Code }) => [Row, Line, Status, NewPerson, Code])).toEqual([
      ['1', '2', 'recorded', 'true', ''],
      ['2', '4', 'recorded', 'false', ''],
      ['3', '5', 'refused', '', 'invalid_request'],
      ['4', '6', 'refused', '', 'invalid_request'],
      ['5', '7', 'recorded', 'true', ''],
      ['6', '8', 'recorded', 'false', ''],
      ['7', '9', 'refused', '', 'transaction_id_reused'],
    ]);
    expect(result[0]?.['PeopleId']).toBe(result[1]?.['PeopleId']);
    expect(result[2]).toMatchObject({
      TransactionId: "'=T3",
      ContributionId: '',
      Error: expect.stringContaining('Amount must'),
    });
    expect(await booked('export')).toMatchObject([
      { first: 'Ann', amount: '10.00', day: '2026-07-26', notes: 'For the "roof",\r\nand the organ' },
      { first: 'Ann', amount: '10.50', day: '2026-07-27', notes: null },
      { first: 'Cid', amount: '5.00' },
      { first: 'Cid', amount: '5.00' },
    ]);

    const sha256 = createHash('sha256').update(EXPORT).digest('hex');
    const [actor, subject] = [processActor('command line'), `import ${sha256.slice(0, 12)}`];
    expect(await auditEntries('export')).toEqual([
      { action: 'import.begin', subject, actor, details: { user: 'api', sha256, rows: 7, source: 'export' } },
      {
        action: 'import.end',
        subject,
        actor,
        details: { user: 'api', recorded: 4, alreadyRecorded: 0, refused: 3, stopped: false },
      },
    ]);

    const corrected = EXPORT.replace('"$1,000.00"', '1000.00')
      .replace('2026-02-30', '2026-02-28')
      .replace('T1,11', 'T5,11');
    files.write('gifts.csv', corrected);
    const second = await importFile(path, ...options);
    expect(second).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/recorded +3\nalreadyRecorded +4\nrefused +0\n/),
    });
    const again = files.read(`${path}.result.csv`);
    expect(again[0]).toEqual({ ...result[0], Status: 'already recorded' });
    expect(again[2]).toMatchObject({ Status: 'recorded', TransactionId: "'=T3" });
    expect(await booked('export')).toHaveLength(7);
  });

  it('recognizes gifts that the processor has sent by the API, and predicts the result in a dry run', async () => {
    const sent = { First: 'Dan', Amount: '12.00', Date: '2026-07-26', Source: 'txt2give', TransactionId: 'P1' };
    const { PeopleId, ContributionId } = (await service.add({ ...gift('Dan'), ...sent }).expect(200)).body as Record<
      string,
      number
    >;
    const { Email: email, Last: last } = gift('Dan') as Record<string, string>;
    const rows = ['P1,', 'P2,', 'P3,99'].map(
      (end) => `Dan,${last},${email},901-555-0101,12,2026-07-26,txt2give,${end}`,
    );
    const names = 'First,Last,Email,Phone,Amount,Date,Source,TransactionId,FundId';
    const path = files.write('overlap.csv', [names, ...rows].join('\n'));
    const mapping = files.write('overlap.json', JSON.stringify({ FundId: 'FundId' }));
    const tables = ['contribution', 'person', 'audit_entry'];
    const before = await Promise.all(tables.map(countOf));
    expect(await importFile(path, '--mapping', mapping, '--dry-run')).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^dryRun +true\nrows +3\nwouldBeRecorded +1\nalreadyRecorded +1\nrefused +1\n/),
      stderr: expect.stringContaining('1 of 3 rows would be refused'),
    });
    expect(await Promise.all(tables.map(countOf))).toEqual(before);
    expect(files.read(`${path}.dry-run.csv`)).toMatchObject([
      { Status: 'already recorded', ContributionId: String(ContributionId) },
      { Status: 'would be recorded', ContributionId: '', PeopleId: String(PeopleId), NewPerson: 'false' },
      { Status: 'refused', Code: 'fund_not_found' },
    ]);
    expect(existsSync(`${path}.result.csv`)).toBe(false);
  });

  it('records each row once when it is killed and run again', async () => {
    const rows = 1_500;
    const path = await files.writeMany('many.csv', rows);
    const args = ['import', path, '--user', 'api', '--source', 'many'];
    const killed = startProgram('cli', args, environment());
    await until(async () => (await booked('many')).length > rows / 3, 60_000);
    killed.kill('SIGKILL');
    await killed.outcome;
    const halfway = (await booked('many')).length;
    expect(halfway).toBeLessThan(rows);
    expect(existsSync(`${path}.result.csv`)).toBe(false);
    expect(await auditEntries('many')).toMatchObject([{ action: 'import.begin', details: { rows } }]);

    const whole = JSON.parse((await runProgram('cli', [...args, '--json'], environment())).stdout) as object;
    expect(whole).toMatchObject({ rows, refused: 0 });
    expect((await auditEntries('many')).map(({ action }) => action)).toEqual([
      'import.begin',
      'import.begin',
      'import.end',
    ]);
    expect(new Set((await booked('many')).map((row) => row['transaction_id'])).size).toBe(rows);
    expect(await booked('many')).toHaveLength(rows);
    const result = files.read(`${path}.result.csv`);
    expect(result.map(({ Row }) => Number(Row))).toEqual(Array.from({ length: rows }, (_, i) => i + 1));
    expect(new Set(result.map(({ ContributionId }) => ContributionId)).size).toBe(rows);
    // Each giver has about three gifts and is one person.
    expect(new Set((await booked('many')).map((row) => row['person_id'])).size).toBe(Math.ceil(rows / 3));
  });

  it('stops between two rows on SIGINT, and says how to continue', async () => {
    const path = await files.writeMany('stopped.csv', 20_000);
    const stopped = startProgram('cli', ['import', path, '--user', 'api', '--source', 'stopped'], environment());
    await until(async () => (await booked('stopped')).length > 100, 60_000);
    stopped.kill('SIGINT');
    const { code, stderr } = await stopped.outcome;
    expect(code).toBe(1);
    const rows = Number(/error: Stopped after (\d+) of 20000 rows: it was stopped/.exec(stderr)?.[1]);
    expect(stderr).toContain('Run the same command again to continue');
    expect(files.read(`${path}.result.csv.partial`)).toHaveLength(rows);
    expect(await booked('stopped')).toHaveLength(rows);
    expect((await auditEntries('stopped')).at(-1)).toMatchObject({ details: { recorded: rows, stopped: true } });
  });
});

describe('import, before it records anything', () => {
  const COLUMNS = 'First,Last,Email,Phone,Amount,Date';
  it.each<[string, string | Buffer, string[], RegExp]>([
    ['another encoding', Buffer.from(`${COLUMNS}\nJosé,Lee,,,,\n`, 'latin1'), [], /error: .* not UTF-8: line 2/],
    ['a file that is not CSV', `${COLUMNS}\nAnn,Lee\n`, [], /error: The row that begins on line 2/],
    ['missing columns', 'First;Last;Amount\n', [], /error: .*no column is Email, Phone/],
    ['its own file as the result file', `${COLUMNS}\n`, ['--result', 'FILE'], /error: The result file must differ/],
    ['a missing mapping file', `${COLUMNS}\n`, ['--mapping', 'nowhere'], /error: The mapping "nowhere" .* ENOENT/],
  ])('refuses %s without a database', async (_what, content, options, message) => {
    const path = files.write('refused.csv', content);
    const args = options.map((option) => option.replace('FILE', path));
    const nowhere = { DATABASE_URL: 'postgres://127.0.0.1:1/nowhere' };
    const outcome = await runProgram('cli', ['import', path, '--user', 'api', '--source', 'S', ...args], nowhere);
    expect(outcome).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(message) });
  });

  it('refuses unknown and disabled users, and an invalid default value', async () => {
    await service.createUser('former', 'a long enough password', []);
    await runProgram('cli', ['user', 'disable', 'former'], environment());
    const path = files.write('none.csv', `${COLUMNS}\n`);
    const outcome = (user: string, source: string): Promise<Outcome> =>
      runProgram('cli', ['import', path, '--user', user, '--source', source], environment());
    const outcomes = await Promise.all([
      outcome('nobody', 'S'),
      outcome('former', 'S'),
      outcome('api', 'x'.repeat(101)),
    ]);
    expect(outcomes.map(({ code }) => code)).toEqual([1, 1, 1]);
    expect(outcomes.map(({ stderr }) => /error: .*/.exec(stderr)?.[0])).toEqual([
      expect.stringContaining('There is no user nobody'),
      expect.stringContaining('The user former is disabled'),
      expect.stringContaining('The default of Source must be at most 100 characters'),
    ]);
  });
});
