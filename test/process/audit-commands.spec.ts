import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { processActor } from '../../src/audit/index.js';
import { type Outcome, runProgram } from '../support/service-process.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase({ empty: true });
});
afterAll(() => database.drop());

const offertory = (...args: string[]): Promise<Outcome> =>
  runProgram('cli', args, { DATABASE_URL: database.url, CHURCH_TIME_ZONE: 'America/Chicago' });

interface Entry {
  readonly id: number;
  readonly action: string;
}

async function listed(...filter: string[]): Promise<Entry[]> {
  const { code, stdout, stderr } = await offertory('audit', 'list', ...filter, '--json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as Entry[];
}

it('offertory audit list shows who did what at the command line, and filters entries', async () => {
  const operator = processActor('command line');
  await offertory('database', 'migrate');
  await offertory('user', 'create', 'txt2give', '--roles', 'Developer');
  await offertory('user', 'disable', 'txt2give');
  const [disable, create, migrate] = await listed();
  expect(disable).toEqual({
    id: 3,
    at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    actor: operator,
    action: 'user.disable',
    subject: 'user txt2give',
    details: {},
  });
  expect(create).toMatchObject({ actor: operator, action: 'user.create', details: { roles: ['Developer'] } });
  expect(migrate).toMatchObject({ actor: operator, action: 'database.migrate', subject: 'database' });

  // Entries of another day, one just before midnight in Chicago. They are inserted because entries cannot be changed.
  await database.query(`
    INSERT INTO audit_entry (at, actor, action, subject) VALUES
      ('2026-03-02T05:59:59Z', 'treasurer', 'review.accept', 'review 1'),
      ('2026-03-02T06:00:00Z', 'treasurer', 'review.accept', 'review 2')`);
  const ids = async (...filter: string[]): Promise<number[]> => (await listed(...filter)).map(({ id }) => id);
  expect(await ids('--actor', operator, '--subject', 'user txt2give')).toEqual([3, 2]);
  expect(await ids('--action', 'review.accept', '--from', '2026-03-01', '--to', '2026-03-01')).toEqual([4]);
  expect(await ids('--before', '3', '--from', '2026-03-02')).toEqual([2, 1]);
  const table = await offertory('audit', 'list', '--action', 'user.create');
  expect(table.stdout).toMatch(
    /^id +at +actor +action +subject +details\n2 +\S+ +command line: .* \{"roles":\["Developer"\]\}\n$/,
  );
  expect((await offertory('audit', 'list', '--from', '2026-02-30')).stderr).toContain('YYYY-MM-DD');
  expect((await offertory('audit', 'list', '--action', 'user.delete')).stderr).toContain('user.create');
});
