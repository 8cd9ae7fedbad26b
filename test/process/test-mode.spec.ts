import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { assertLedgerInvariants } from '../support/ledger-invariants.js';
import { Client } from '../support/client.js';
import { type DatabaseRoles, makeRoles } from '../support/database-roles.js';
import { noteSecret } from '../support/kept-logs.js';
import { MODE_HEADER, TEST_MODE } from '../support/mode.js';
import { createApiUser, runProgram, type ServiceProcess, startServiceProcess } from '../support/service-process.js';
import { gift } from '../support/test-app.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const PASSWORD = 'nothing of this is real';
const LIVE_BOOKS =
  /^(error|Offertory cannot run): This database holds the books of the church, but OFFERTORY_MODE is test\./;
const TEST_SYSTEM = /^(error|Offertory cannot run): This database belongs to a test system, .*OFFERTORY_MODE is live\./;

let live: TestDatabase;
let test: TestDatabase;
let roles: DatabaseRoles;
/** The environment of the test system's service, and that of its owner. */
let ofService: Record<string, string>;
let ofOwner: Record<string, string>;
let service: ServiceProcess;
let api: Client;
let liveService: ServiceProcess;

beforeAll(async () => {
  live = await createTestDatabase({ empty: true });
  await createApiUser({ DATABASE_URL: live.url }, PASSWORD);
  test = await createTestDatabase({ empty: true });
  roles = await makeRoles(test);
  ofService = { ...TEST_MODE, DATABASE_URL: roles.serviceUrl, FINANCE_EMAILS: 'office@example.org' };
  ofOwner = { ...ofService, MIGRATION_DATABASE_URL: roles.ownerUrl };
  // As in containers: the owner migrates, and then the service starts without the owner's password.
  expect(await runProgram('cli', ['database', 'migrate'], ofOwner)).toMatchObject({ code: 0 });
  await createApiUser(ofService, PASSWORD);
  service = await startServiceProcess(ofService);
  api = new Client(service.url, 'api', PASSWORD);
  liveService = await startServiceProcess({ DATABASE_URL: live.url });
});
afterAll(async () => {
  await service.end('SIGTERM');
  await liveService.end('SIGTERM');
  await live.drop();
  await test.drop();
  await roles.drop();
});

const recorded = (database: TestDatabase): Promise<unknown> => database.query('SELECT mode FROM database_mode');

it('the first start or command records the mode of a new database', async () => {
  expect(await recorded(live)).toEqual([{ mode: 'live' }]);
  expect(await recorded(test)).toEqual([{ mode: 'test' }]);
  expect(service.output()).toMatch(/Ready at http:\S+\/Api, as a test system/);
  expect((await fetch(`${service.url}/health/live`)).headers.get(MODE_HEADER)).toBe('test');
});

describe('a database of the other mode is refused, with what to do,', () => {
  it.each([
    ['by the service', 'main', []],
    ['by a command', 'cli', ['user', 'list']],
    ['by the migration', 'cli', ['database', 'migrate']],
    ['by the reset', 'cli', ['test', 'reset', '--yes']],
  ] as const)('%s', async (_by, program, args) => {
    const asTest = await runProgram(program, args, { ...TEST_MODE, DATABASE_URL: live.url });
    expect(asTest).toMatchObject({
      code: 1,
      stdout: expect.not.stringMatching(/Ready/),
      stderr: expect.stringMatching(LIVE_BOOKS),
    });
    const asLive = await runProgram(program, args, { DATABASE_URL: roles.ownerUrl });
    expect(asLive).toMatchObject({
      code: 1,
      stdout: expect.not.stringMatching(/Ready/),
      stderr: expect.stringMatching(TEST_SYSTEM),
    });
    expect([await recorded(live), await recorded(test)]).toEqual([[{ mode: 'live' }], [{ mode: 'test' }]]);
  });

  it('by the doctor, as a fault', async () => {
    const { code, stdout } = await runProgram('cli', ['doctor'], { ...TEST_MODE, DATABASE_URL: live.url });
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout: expect.stringMatching(/FAULT +database +This database holds the books/),
    });
  });

  it('and so is a setting that is no mode', async () => {
    const { code, stderr } = await runProgram('cli', ['user', 'list'], {
      DATABASE_URL: live.url,
      OFFERTORY_MODE: 'demo',
    });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining('OFFERTORY_MODE must be one of live, test'),
    });
  });
});

describe('credentials of one system are refused by the other one:', () => {
  /** Each system with the other one: its program's settings, its address, and the database of the other. */
  const directions = () => [
    { mode: 'live', settings: { DATABASE_URL: live.url }, own: liveService.url, other: service.url, otherBooks: test },
    { mode: 'test', settings: ofService, own: service.url, other: liveService.url, otherBooks: live },
  ];
  const status = async (url: string, authorization: string): Promise<number> =>
    (await fetch(`${url}/Api/Funds`, { headers: { Authorization: authorization } })).status;
  const basic = (user: string, password: string): string =>
    `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

  it('a password', async () => {
    for (const { mode, settings, own, other } of directions()) {
      const create = ['user', 'create', `of ${mode}`, '--roles', 'Developer,APIOnly,APIWrite', '--json'];
      const { stdout } = await runProgram('cli', create, settings);
      const { username, password } = JSON.parse(stdout) as { username: string; password: string };
      noteSecret(password);
      expect([mode, await status(own, basic(username, password))]).toEqual([mode, 200]);
      expect([mode, await status(other, basic(username, password))]).toEqual([mode, 401]);
    }
  });

  it('a token, at once: without a look-up, and without a count of failures', async () => {
    for (const { mode, settings, own, other, otherBooks } of directions()) {
      const { stdout } = await runProgram('cli', ['token', 'create', 'api', '--json'], settings);
      const { token } = JSON.parse(stdout) as { token: string };
      noteSecret(token);
      expect(token).toMatch(mode === 'test' ? /^offt_test_[\w-]{43}$/ : /^offt_[\w-]{43}$/);
      const ways = [`Bearer ${token}`, basic('api', token)];
      for (const way of ways) expect([mode, await status(own, way)]).toEqual([mode, 200]);
      const failures = await otherBooks.query('SELECT key, points FROM login_failure ORDER BY key');
      await otherBooks.query('ALTER TABLE api_token RENAME TO hidden');
      try {
        // More often than failures are allowed.
        for (let i = 0; i < 15; i++)
          for (const way of ways) expect([mode, await status(other, way)]).toEqual([mode, 401]);
      } finally {
        await otherBooks.query('ALTER TABLE hidden RENAME TO api_token');
      }
      expect(await otherBooks.query('SELECT key, points FROM login_failure ORDER BY key')).toEqual(failures);
    }
    expect(service.output().match(/A token of the live service was refused from 127\.0\.0\.1/g)).toHaveLength(1);
    expect(liveService.output().match(/A token of the test system was refused from 127\.0\.0\.1/g)).toHaveLength(1);
  });
});

describe('offertory test reset', () => {
  it('empties the books of the test system, while its service runs', async () => {
    expect((await api.add(gift('reset'))).status).toBe(200);
    const { code, stdout, stderr } = await runProgram('cli', ['test', 'reset', '--yes', '--json'], ofOwner);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(/^Waiting for running calls …\nCounting …\nDeleting \d+ rows …\n/),
    });
    expect(JSON.parse(stdout)).toEqual(expect.arrayContaining([{ table: 'contribution', rows: 1 }]));
    expect(await test.query('SELECT FROM contribution')).toEqual([]);
    expect((await api.add(gift('reset'))).status).toBe(200);
    await assertLedgerInvariants(test);
    const [entry] = await test.query(`SELECT actor, via FROM audit_entry WHERE action = 'database.reset'`);
    expect(entry).toMatchObject({ actor: expect.stringMatching(/^command line: /) });
    const listed = await runProgram('cli', ['audit', 'list', '--action', 'database.reset'], ofService);
    expect(listed).toMatchObject({ code: 0, stdout: expect.stringContaining('database.reset') });
  });

  it('needs the owner of the tables, and says so', async () => {
    const { code, stderr } = await runProgram('cli', ['test', 'reset', '--yes'], ofService);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/error: Only the owner of the tables can reset.*MIGRATION_DATABASE_URL/),
    });
    expect((await test.query('SELECT FROM contribution')).length).toBe(1);
  });

  it('never empties live books, whatever the setting', async () => {
    const users = await live.query('SELECT * FROM app_user');
    for (const variables of [{ DATABASE_URL: live.url }, { ...TEST_MODE, DATABASE_URL: live.url }]) {
      const { code, stderr } = await runProgram('cli', ['test', 'reset', '--yes'], variables);
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: expect.stringMatching(/Only a test system can be reset|holds the books of the church/),
      });
    }
    expect(await live.query('SELECT * FROM app_user')).toEqual(users);
  });
});

it('a move takes the mode along, and the new database is refused in the other one', async () => {
  const target = await createTestDatabase({ empty: true });
  const source = await createTestDatabase({ empty: true });
  try {
    await createApiUser({ ...TEST_MODE, DATABASE_URL: source.url }, PASSWORD);
    // A live service has looked at the new database before anybody used it.
    expect(await runProgram('cli', ['database', 'migrate'], { DATABASE_URL: target.url })).toMatchObject({ code: 0 });
    expect(await recorded(target)).toEqual([{ mode: 'live' }]);
    const moved = await runProgram('cli', ['database', 'move', target.url], { ...TEST_MODE, DATABASE_URL: source.url });
    expect(moved).toMatchObject({ code: 0 });
    expect(await recorded(target)).toEqual([{ mode: 'test' }]);
    expect(await runProgram('cli', ['user', 'list'], { DATABASE_URL: target.url })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(TEST_SYSTEM),
    });
    expect(await runProgram('cli', ['user', 'list'], { ...TEST_MODE, DATABASE_URL: target.url })).toMatchObject({
      code: 0,
    });
  } finally {
    await source.drop();
    await target.drop();
  }
});
