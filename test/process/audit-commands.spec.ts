import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { processActor } from '../../src/audit/index.js';
import { SealAuditTrail } from '../../src/audit/seals/seal-audit-trail.service.js';
import { addedGift, readBack } from '../contract/gift-requests.js';
import { type Outcome, runProgram } from '../support/service-process.js';
import { gift, startTestApp, type TestApp } from '../support/test-app.js';
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
  const [disable, create, ...migrating] = await listed();
  // One for the quick migrations, and one for each gradual one.
  const created = migrating.length + 1;
  expect(migrating.length).toBeGreaterThan(1);
  expect(disable).toEqual({
    id: created + 1,
    at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    actor: operator,
    via: 'command line',
    action: 'user.disable',
    subject: 'user txt2give',
    details: {},
  });
  expect(create).toMatchObject({ actor: operator, action: 'user.create', details: { roles: ['Developer'] } });
  for (const entry of migrating)
    expect(entry).toMatchObject({
      actor: operator,
      via: 'command line',
      action: 'database.migrate',
      subject: 'database',
    });

  // Entries of another day, one just before midnight in Chicago. They are inserted because entries cannot be changed.
  await database.query(`
    INSERT INTO audit_entry (at, actor, action, subject) VALUES
      ('2026-03-02T05:59:59Z', 'treasurer', 'review.accept', 'review 1'),
      ('2026-03-02T06:00:00Z', 'treasurer', 'review.accept', 'review 2')`);
  const ids = async (...filter: string[]): Promise<number[]> => (await listed(...filter)).map(({ id }) => id);
  expect(await ids('--actor', operator, '--subject', 'user txt2give')).toEqual([created + 1, created]);
  expect(await ids('--action', 'review.accept', '--from', '2026-03-01', '--to', '2026-03-01')).toEqual([created + 2]);
  expect(await ids('--before', String(created + 1), '--from', '2026-03-02')).toEqual(
    Array.from({ length: created }, (_, i) => created - i),
  );
  const table = await offertory('audit', 'list', '--action', 'user.create');
  expect(table.stdout).toMatch(
    new RegExp(
      `^id +at +actor +via +action +subject +details\\n${created} +\\S+ +command line: .* command line +user.create .* \\{"roles":\\["Developer"\\]\\}\\n$`,
    ),
  );
  expect((await offertory('audit', 'list', '--from', '2026-02-30')).stderr).toContain('YYYY-MM-DD');
  expect((await offertory('audit', 'list', '--action', 'user.delete')).stderr).toContain('user.create');
});

describe('offertory audit verify', () => {
  let service: TestApp;
  let sealed: number;
  beforeAll(async () => {
    service = await startTestApp();
    await service.app.get(SealAuditTrail, { strict: false }).sealAll();
    sealed = (await service.database.query('SELECT FROM audit_entry')).length;
    expect(sealed).toBeGreaterThan(1);
  });
  afterAll(() => service.stop());

  const verify = (...options: string[]): Promise<Outcome> =>
    runProgram('cli', ['audit', 'verify', ...options], { DATABASE_URL: service.database.url });

  it('says how many entries are sealed and how many not yet, and finds a seal that was noted', async () => {
    const { stdout } = await verify('--json');
    const { latestSeal, ...counts } = JSON.parse(stdout) as { latestSeal: { hash: string } };
    expect(counts).toEqual({
      ...{ sealedEntries: sealed, unsealedEntries: 0, seals: 1 },
      ...{ entriesAfterNote: null, fault: null },
    });
    await service.createUser('later', 'some long password', []);
    expect(await verify('--seal', latestSeal.hash.toUpperCase())).toEqual({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(
        new RegExp(
          `^sealedEntries +${sealed}\\nunsealedEntries +1\\nseals +1\\nentriesAfterNote +1\\n` +
            'latestSeal\\n {2}number +1\\n {2}sealedAt +\\S+\\n {2}lastEntry +\\d+\\n {2}hash +[\\da-f]{64}\\n$',
        ),
      ),
    });
    expect(await verify('--seal', 'ab'.repeat(32))).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^error: No seal has the hash that was given\..* Not sealed yet: 1 entries\.\n$/),
    });
    expect((await verify('--seal', 'abc')).stderr).toContain('64 hexadecimal digits');
  });

  it('names the first entry that does not fit, and exits with 1', async () => {
    const [last] = await service.database.query<{ id: number }>('SELECT max(last_id) AS id FROM audit_seal');
    await service.database.query(`
      ALTER TABLE audit_entry DISABLE TRIGGER audit_entry_append_only;
      UPDATE audit_entry SET actor = 'nobody' WHERE id = ${last?.id};
      ALTER TABLE audit_entry ENABLE ALWAYS TRIGGER audit_entry_append_only`);
    const fault = new RegExp(`^Entry ${last?.id} of the audit trail was changed after seal 1 was made on `);
    expect(await verify()).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(new RegExp(fault.source.replace('^', '^error: '))),
    });
    const json = await verify('--json');
    expect(json.code).toBe(1);
    expect(JSON.parse(json.stdout)).toMatchObject({ fault: expect.stringMatching(fault), sealedEntries: 0 });
  });
});

it('commands that show personal data leave one entry each, with the account that ran them', async () => {
  const service = await startTestApp();
  try {
    const directory = mkdtempSync(join(tmpdir(), 'offertory-readings-'));
    const file = join(directory, 'gifts.csv');
    const sent = gift('read');
    writeFileSync(
      file,
      'First,Last,Email,Phone,Amount,TransactionId,Source\n' +
        `${String(sent['First'])},${String(sent['Last'])},${String(sent['Email'])},901-555-0101,5,t1,test\n` +
        'Other,Person,other@example.com,901-555-0102,5,t2,test\n',
    );
    const one = await addedGift(service, sent);
    const two = await addedGift(service, gift('read2', { PeopleId: one.PeopleId }));
    const { bundleId } = await readBack(service, one.ContributionId);
    const [before] = await service.database.query<{ id: number }>('SELECT max(id) AS id FROM audit_entry');
    const person = `person ${one.PeopleId}`;
    const people = { people: 1, peopleIds: [one.PeopleId] };
    for (const line of [
      ['person', 'show', String(one.PeopleId)],
      ['contact', 'list', String(one.PeopleId)],
      ['contact', 'list'],
      ['contribution', 'show', String(two.ContributionId)],
      ['contribution', 'history', String(two.ContributionId)],
      ['bundle', 'show', String(bundleId)],
      ['bundle', 'export', String(bundleId)],
      ['review', 'list'],
      ['user', 'list'],
      ['import', file, '--user', 'api', '--dry-run'],
    ]) {
      const { code, stderr } = await runProgram('cli', line, { DATABASE_URL: service.database.url });
      expect([line, code, line[0] === 'import' ? '' : stderr]).toEqual([line, 0, '']);
    }
    const entries = await service.database.query(
      'SELECT actor, via, action, subject, details FROM audit_entry WHERE id > $1 ORDER BY id',
      [before?.id],
    );
    const by = { actor: processActor('command line'), via: 'command line' };
    expect(entries).toEqual([
      { ...by, action: 'person.read', subject: person, details: people },
      { ...by, action: 'contact.list', subject: person, details: { ...people, contacts: expect.any(Number) } },
      {
        ...by,
        action: 'contact.list',
        subject: 'contacts',
        details: expect.objectContaining({ contacts: expect.any(Number) }),
      },
      { ...by, action: 'contribution.read', subject: `contribution ${two.ContributionId}`, details: people },
      { ...by, action: 'bundle.export', subject: `bundle ${bundleId}`, details: { ...people, contributions: 2 } },
      { ...by, action: 'review.list', subject: 'reviews', details: { ...people, reviews: 1 } },
      {
        ...by,
        action: 'import.preview',
        subject: expect.stringMatching(/^import [\da-f]{12}$/),
        details: { ...people, user: 'api', rows: 2, sha256: expect.stringMatching(/^[\da-f]{64}$/) },
      },
    ]);
    rmSync(directory, { recursive: true });
  } finally {
    await service.stop();
  }
});
