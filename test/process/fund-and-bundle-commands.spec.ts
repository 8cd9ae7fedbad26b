import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { addedGift, readBack } from '../contract/gift-requests.js';
import { atKeyboard } from '../support/at-keyboard.js';
import { type Outcome, runProgram } from '../support/service-process.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let service: TestApp;
let bundleId: number;
beforeAll(async () => {
  service = await startTestApp();
  bundleId = (await readBack(service, (await addedGift(service, { Amount: '12' })).ContributionId)).bundleId;
});
afterAll(() => service.stop());

const offertory = (...args: string[]): Promise<Outcome> =>
  runProgram('cli', args, { DATABASE_URL: service.database.url });

/** The parsed JSON output of a command. */
async function json(...args: string[]): Promise<unknown> {
  const outcome = await offertory(...args, '--json');
  expect(outcome).toMatchObject({ code: 0, stderr: '' });
  return JSON.parse(outcome.stdout);
}

it('fund create adds a fund that gifts can name at once; fund default chooses the fund of gifts without FundId', async () => {
  const { fundId } = (await json('fund', 'create', ' Building ')) as { fundId: number };
  const given = await readBack(service, (await addedGift(service, { FundId: fundId })).ContributionId);
  expect(given['fundId']).toBe(fundId);
  expect(await json('fund', 'default', String(fundId))).toEqual({
    fundId,
    name: 'Building',
    open: true,
    default: true,
  });
  expect((await readBack(service, (await addedGift(service, {})).ContributionId))['fundId']).toBe(fundId);
  await json('fund', 'default', '1');
  expect(await json('fund', 'list')).toEqual([
    { fundId: 1, name: 'General', open: true, default: true },
    { fundId, name: 'Building', open: true, default: false },
  ]);
});

it('fund close and fund open change the fund, and warn when the default fund is closed', async () => {
  const { fundId } = (await json('fund', 'create', 'Mission')) as { fundId: number };
  expect(await json('fund', 'close', String(fundId))).toMatchObject({ open: false });
  expect(await offertory('fund', 'default', String(fundId))).toMatchObject({
    code: 1,
    stderr: `error: Mission is closed. Open it first: fund open ${fundId}\n`,
  });
  expect(await json('fund', 'open', String(fundId))).toMatchObject({ open: true });
  const closed = await offertory('fund', 'close', '1');
  expect(closed).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^General is the default: .*fund default <id>\n$/),
  });
  await json('fund', 'open', '1');
});

it('fund rename gives a fund another name, and gifts by the old name still reach it', async () => {
  const { fundId } = (await json('fund', 'create', 'Steeple')) as { fundId: number };
  const renamed = { fundId, name: 'Tower', open: true, default: false };
  expect(await json('fund', 'rename', String(fundId), ' Tower ')).toEqual(renamed);
  expect(await json('fund', 'list')).toContainEqual(renamed);
  for (const FundName of ['steeple', 'TOWER']) {
    const given = await readBack(service, (await addedGift(service, { FundName })).ContributionId);
    expect([FundName, given['fundId']]).toEqual([FundName, fundId]);
  }
  expect(await offertory('fund', 'create', 'Steeple')).toEqual({
    code: 1,
    stdout: '',
    stderr: `error: This is a former name of fund ${fundId}, by which gifts may still name it.\n`,
  });
  const entries = await service.database.query(
    `SELECT actor LIKE 'command line: %' AS here FROM audit_entry WHERE action = 'fund.rename' AND subject = $1`,
    [`fund ${fundId}`],
  );
  expect(entries).toEqual([{ here: true }]);
});

it.each([
  [['fund', 'create', 'general'], 'There is already a fund with this name.'],
  [['fund', 'rename', '99', 'Tower'], 'There is no fund with FundId 99.'],
  [['fund', 'rename', '1', ' '], 'The name must not be blank.'],
  [['fund', 'create', 'General'], 'There is already a fund with this name.'],
  [['fund', 'create', ' '], 'The name must not be blank.'],
  [['fund', 'create', 'x'.repeat(101)], 'The name must be at most 100 characters long.'],
  [['fund', 'close', '99'], 'There is no fund with FundId 99.'],
  [['fund', 'default', '99'], 'There is no fund with FundId 99.'],
  [['bundle', 'show', '99'], 'There is no bundle 99.'],
  [['bundle', 'close', '99'], 'There is no bundle 99.'],
  [['bundle', 'export', '99'], 'There is no bundle 99.'],
  [['user', 'set-email', 'nobody', 'a@example.org'], 'There is no user nobody. To see all: user list'],
  [['user', 'set-email', 'api', 'nowhere'], 'The e-mail address is invalid.'],
])('%s is refused with a message of one line', async (args, message) => {
  expect(await offertory(...args)).toEqual({ code: 1, stdout: '', stderr: `error: ${message}\n` });
});

it('bundle export writes to standard output or a file; bundle list and show print counts and totals', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'offertory-export-'));
  try {
    const file = join(directory, 'bundle.csv');
    expect(await offertory('bundle', 'export', String(bundleId), '--output', file)).toMatchObject({
      code: 0,
      stdout: '',
    });
    const csv = readFileSync(file, 'utf8');
    expect(csv).toMatch(/^\uFEFFContributionId,Day,.*\r\n.*,12\.00,USD,Recorded,/);
    expect(await offertory('bundle', 'export', String(bundleId))).toEqual({ code: 0, stdout: csv, stderr: '' });
  } finally {
    rmSync(directory, { recursive: true });
  }
  const list = await offertory('bundle', 'list', '--status', 'open');
  expect(list.stdout).toMatch(/^bundleId +day +bundleType +user +status +totals\n\d+ .*\d+ entr(y|ies), USD \d+\.00\n/);
  const shown = await offertory('bundle', 'show', String(bundleId));
  expect(shown.stdout).toMatch(/totals\n {2}currency +count +total [^]*byFund\n[^]*byType\n/);
  expect(shown.stdout).not.toContain('[object');
});

it('bundle close asks for confirmation at a terminal, and does nothing without a yes', async () => {
  const answer = atKeyboard(service.database.url, 'n', `bundle close ${bundleId}`);
  expect(answer.status).toBe(1);
  expect(answer.stdout).toMatch(
    /Close bundle \d+ \(Online, api, \d{4}-\d\d-\d\d: \d+ entr(y|ies), USD \d+\.00\)\? It cannot be opened again\. \[y\/N\]/,
  );
  expect(answer.stdout).toContain('error: Nothing was done.');
  expect(await json('bundle', 'show', String(bundleId))).toMatchObject({ status: 'Open' });
  const { ContributionId } = await addedGift(service, { BundleTypeId: 20 });
  const other = (await readBack(service, ContributionId)).bundleId;
  expect(atKeyboard(service.database.url, 'y', `bundle close ${other}`).status).toBe(0);
  expect(await json('bundle', 'show', String(other))).toMatchObject({ status: 'Closed' });
});

it('bundle close does not ask a script for confirmation', async () => {
  expect(await json('bundle', 'close', String(bundleId))).toMatchObject({
    bundleId,
    status: 'Closed',
    closedBy: 'command line',
  });
  expect(await json('bundle', 'list', '--status', 'closed')).toMatchObject([{}, { bundleId }]);
});

it('user set-email sets or removes the address for notices', async () => {
  const email = async (): Promise<unknown> => ((await json('user', 'list')) as { email: unknown }[])[0]?.email;
  expect(await json('user', 'set-email', 'api', 'office@example.org')).toMatchObject({
    username: 'api',
    email: 'office@example.org',
  });
  expect(await email()).toBe('office@example.org');
  expect(await offertory('user', 'set-email', 'api')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^username +api\nemail +-\nactive +true\n/),
  });
  expect(await email()).toBeNull();
});
