import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type supertest from 'supertest';
import { Tokens } from '../../src/auth/index.js';
import { VerifyAuditTrail } from '../../src/audit/seals/verify-audit-trail.service.js';
import type { Mode } from '../../src/config/index.js';
import { migrateDatabase, resetTestDatabase } from '../../src/database/index.js';
import { fateByTable } from '../../src/database/reset/after-test-reset.js';
import type { EmptiedTable } from '../../src/database/reset/reset-test-database.js';
import { Doctor } from '../../src/doctor/doctor.service.js';
import { ENTITIES } from '../../src/parts.js';
import { type Added, addedGift, type Problem, readBack, rowCounts } from '../contract/gift-requests.js';
import { type ConsoleVisitor, logInToConsole } from '../support/console.js';
import { assertLedgerInvariants } from '../support/ledger-invariants.js';
import { makeRoles } from '../support/database-roles.js';
import { mergePersons } from '../support/merge-persons.js';
import { MODE_HEADER, TEST_MODE } from '../support/mode.js';
import { gift, type Login, startTestApp, type TestApp } from '../support/test-app.js';
import type { TestDatabase } from '../support/test-database.js';
import { until } from '../support/until.js';

const FATES = [...fateByTable(ENTITIES)];
const EMPTIED = FATES.filter(([, fate]) => fate === 'emptied').map(([table]) => table);
/** Without the tables to which a reset, or a running service, adds rows. */
const UNCHANGED = FATES.filter(([, fate]) => fate === 'kept')
  .map(([table]) => table)
  .filter(
    (table) => !['audit_entry', 'audit_seal', 'books_epoch', 'reading_progress', 'known_network'].includes(table),
  );

const CSV = 'First,Last,Email,Phone,Amount,Date\nAnn,Lee,ann@example.org,1,5,2026-06-01\n';

function reset(database: { readonly url: string }, mode: Mode = 'test'): Promise<EmptiedTable[]> {
  const report = (): void => undefined;
  return resetTestDatabase({ url: database.url }, { actor: 'command line: tester', mode, entities: ENTITIES, report });
}

const rowsOf = (database: TestDatabase, table: string): Promise<unknown> =>
  database.query(`SELECT to_jsonb(t) AS row FROM ${table} t ORDER BY to_jsonb(t)::text`);

async function rowsOfAll(database: TestDatabase, tables: readonly string[]): Promise<Record<string, unknown>> {
  const rows = await Promise.all(tables.map(async (table) => [table, await rowsOf(database, table)] as const));
  return Object.fromEntries(rows);
}

describe('a reset of a test system with everything in its books', () => {
  let service: TestApp;
  let finance: Login;
  let visitor: ConsoleVisitor;
  let token: string;
  let before: Record<string, unknown>;
  let jobsBefore: unknown;
  let lastId: number;
  let position: string;
  let emptied: readonly EmptiedTable[];

  const post = (path: string, body: object = {}, login = finance): supertest.Test =>
    service
      .http()
      .post(`/Api/${path}`)
      .auth(...login)
      .send(body);
  const endOfList = async (): Promise<string> =>
    ((await service.get('Contributions').expect(200)).body as { next: string }).next;
  const next = async (after: string): Promise<supertest.Response> =>
    service.get(`Contributions?after=${encodeURIComponent(after)}`);

  beforeAll(async () => {
    service = await startTestApp(
      { ...TEST_MODE, FINANCE_EMAILS: 'office@example.org', WEBHOOK_ALLOW_PRIVATE: '1' },
      { workers: true },
    );
    finance = await service.createUser('treasurer', 'correct horse battery', ['Finance']);
    ({ token } = await service.app.get(Tokens).create('api'));
    visitor = await logInToConsole(service, finance);
    await post('Webhooks', { Url: 'http://127.0.0.1:9/hooks', Events: ['contribution.recorded'] }).expect(200);
    await fillBooks();
    position = await endOfList();
    await until(async () => (await service.database.query('SELECT FROM delivery')).length > 0);
    await until(async () => (await service.database.query('SELECT FROM fund_month_total')).length > 0);
    before = await rowsOfAll(service.database, UNCHANGED);
    jobsBefore = await service.database.query('SELECT queue FROM job WHERE every_seconds IS NOT NULL ORDER BY queue');
    [{ id: lastId }] = (await service.database.query('SELECT max(id) AS id FROM contribution')) as [{ id: number }];
    emptied = await reset(service.database);
  });
  afterAll(() => service.stop());

  /** Gifts, a reversal, a refund, a batch, closed bundles, reconciled deposits, a merge, a review and an import. */
  async function fillBooks(): Promise<void> {
    await service.add().set('Idempotency-Key', 'before the reset').expect(200);
    const ids: number[] = [];
    for (let i = 0; i < 5; i++) ids.push((await addedGift(service, { FundId: 1 })).ContributionId);
    await service.reverse(`${ids[0]}/test?amount=4&refundId=re_1`).expect(200);
    await service.reverse(`${ids[1]}/test`).expect(200);
    const batch = [1, 2].map((n) =>
      gift(`batch${n}`, { Source: 'batch', TransactionId: `t-${n}`, Date: '2020-01-01' }),
    );
    await post('AddContributions', { Gifts: batch }, service.login).expect(200);
    const items = [{ ContributionId: ids[2] }];
    const sent = { DepositId: 'd', Source: 'test', Date: '2026-11-20', Amount: '10', Items: items };
    const { id } = (await post('Deposits', sent, service.login).expect(200)).body as { id: number };
    await post(`Deposits/${id}/reconcile`).expect(200);
    await post('Imports?user=api').type('text/csv').send(CSV).expect(200);
    const { bundleId } = await readBack(service, ids[3] ?? 0);
    await post(`Bundles/${bundleId}/close`).expect(200);
    const [from, into] = await service.database.query<{ id: number }>('SELECT id FROM person ORDER BY id LIMIT 2');
    await mergePersons(service, { from: from?.id ?? 0, into: into?.id ?? 0 });
  }

  it('leaves no row of gifts and people, and says how many it has deleted', async () => {
    const tables = emptied.map(({ table }) => table);
    expect(tables).toEqual(
      expect.arrayContaining([
        ...['bundle', 'contribution', 'delivery', 'deposit', 'deposit_item', 'fund_month_total', 'idempotency_key'],
        ...['import_file', 'import_file_part', 'notice', 'payment', 'person', 'refund', 'review', 'webhook_delivery'],
      ]),
    );
    expect(emptied.find(({ table }) => table === 'contribution')?.rows).toBe(10);
    for (const table of EMPTIED) expect([table, await rowsOf(service.database, table)]).toEqual([table, []]);
  });

  it('keeps users, tokens, sessions, funds and webhook endpoints as they were', async () => {
    expect(await rowsOfAll(service.database, UNCHANGED)).toEqual(before);
    await visitor.get('/console').expect(200);
    await service.http().get('/Api/Funds').set('Authorization', `Bearer ${token}`).expect(200);
  });

  it('keeps the periodic jobs, which nobody would queue again', async () => {
    const jobs = await service.database.query('SELECT queue FROM job WHERE every_seconds IS NOT NULL ORDER BY queue');
    expect(jobs).toEqual(jobsBefore);
    expect(jobs.length).toBeGreaterThan(3);
  });

  it('is in the audit trail, which stays whole, and nothing there bypassed the service', async () => {
    expect(
      await service.database.query(`SELECT actor, subject, details FROM audit_entry WHERE action = 'database.reset'`),
    ).toEqual([
      {
        actor: 'command line: tester',
        subject: 'database',
        details: { rows: emptied.reduce((sum, { rows }) => sum + rows, 0), tables: emptied.length },
      },
    ]);
    expect(await service.database.query(`SELECT FROM audit_entry WHERE via = 'database'`)).toEqual([]);
    const { fault } = await service.app.get(VerifyAuditTrail, { strict: false }).verify(undefined, () => undefined);
    expect(fault).toBeNull();
    expect((await visitor.get('/console/changes')).text).toContain('deleted all gifts and people of the test system');
  });

  it('leaves books in which everything fits together, and the doctor finds no fault of theirs', async () => {
    await assertLedgerInvariants(service.database);
    const findings = await service.app.get(Doctor, { strict: false }).examine();
    expect(findings.filter(({ result }) => result === 'fault')).toEqual([]);
    expect(findings).toContainEqual({ check: 'mode', result: 'ok', found: expect.stringMatching(/^test: /) });
  });

  it('lets the running service go on: with new ids, and keys that can be used again', async () => {
    const answer = await service.add({}).set('Idempotency-Key', 'before the reset').expect(200);
    expect([answer.headers['idempotency-replayed'], answer.headers[MODE_HEADER]]).toEqual([undefined, 'test']);
    const added = answer.body as Added;
    expect(added.NewPerson).toBe(true);
    expect(added.ContributionId).toBeGreaterThan(lastId);
    await service.reverse(`${added.ContributionId}/test`).expect(200);
    await service.reverse(`${lastId}/test`).expect(404);
    await until(async () => (await service.database.query(`SELECT FROM delivery WHERE status = 'sent'`)).length === 1);
    await until(async () => (await service.database.query('SELECT FROM fund_month_total')).length > 0);
    await assertLedgerInvariants(service.database);
  });

  it('refuses positions in lists from before it, and gives out new ones', async () => {
    const refused = await next(position);
    expect([refused.status, (refused.body as Problem).errors?.[0]?.field]).toEqual([400, 'after']);
    expect((await next(await endOfList())).status).toBe(200);
  });

  it('can be done again, and of empty books', async () => {
    expect((await reset(service.database)).map(({ table }) => table)).toContain('contribution');
    expect((await reset(service.database)).map(({ table }) => table)).not.toContain('contribution');
    await assertLedgerInvariants(service.database);
  });

  it('lets running calls end, and later calls wait: each gift is whole before or after it, or refused with a 503', async () => {
    const calls = Array.from({ length: 200 }, () => service.add());
    const resets = (async () => {
      for (let i = 0; i < 3; i++) await reset(service.database);
    })();
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    await resets;
    // On a slow machine a call may wait longer than it may.
    expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(100);
    await assertLedgerInvariants(service.database);
    const parts = await service.database.query(
      'SELECT (SELECT count(*) FROM contribution) AS gifts, (SELECT count(*) FROM payment) AS payments',
    );
    expect(parts).toEqual([{ gifts: parts[0]?.['payments'], payments: parts[0]?.['payments'] }]);
  });

  it('is the only way to empty the tables of closed bundles and reconciled deposits', async () => {
    const { ContributionId } = await addedGift(service, {});
    await post(`Bundles/${(await readBack(service, ContributionId)).bundleId}/close`).expect(200);
    await expect(service.database.query('TRUNCATE contribution CASCADE')).rejects.toThrow(/is closed/);
    await expect(
      service.database.query(`
        INSERT INTO audit_entry (actor, action, subject) VALUES ('me', 'database.migrate', 'database');
        TRUNCATE bundle CASCADE`),
    ).rejects.toThrow(/is closed/);
  });
});

describe('is refused, and changes nothing', () => {
  const NO_TEST_SYSTEM = 'Only a test system can be reset, and this is none';

  it.each([
    ['of live books, whatever the setting', {}, 'test'],
    ['of live books', {}, 'live'],
    ['of a test system by a live program', TEST_MODE, 'live'],
  ] as const)('%s', async (_what, settings, mode) => {
    const service = await startTestApp(settings);
    try {
      await migrateDatabase(service.database.connection, { mode: settings === TEST_MODE ? 'test' : 'live' });
      await addedGift(service, {});
      const before = await rowCounts(service);
      await expect(reset(service.database, mode)).rejects.toThrow(NO_TEST_SYSTEM);
      expect(await rowCounts(service)).toEqual(before);
      expect(await service.database.query(`SELECT FROM audit_entry WHERE action = 'database.reset'`)).toEqual([]);
    } finally {
      await service.stop();
    }
  });

  it('of live books even by an entry in the audit trail: the database itself keeps a closed bundle', async () => {
    const service = await startTestApp();
    try {
      await migrateDatabase(service.database.connection, { mode: 'live' });
      const finance = await service.createUser('treasurer', 'correct horse battery', ['Finance']);
      const { bundleId } = await readBack(service, (await addedGift(service, {})).ContributionId);
      await service
        .http()
        .post(`/Api/Bundles/${bundleId}/close`)
        .auth(...finance)
        .expect(200);
      await expect(
        service.database.query(`
          INSERT INTO audit_entry (actor, action, subject) VALUES ('me', 'database.reset', 'database');
          TRUNCATE contribution CASCADE`),
      ).rejects.toThrow(/is closed/);
    } finally {
      await service.stop();
    }
  });

  it('by the role of the service, which is told who can', async () => {
    const service = await startTestApp(TEST_MODE);
    const roles = await makeRoles(service.database);
    try {
      const asService = { connection: { url: roles.serviceUrl }, entities: ENTITIES };
      await migrateDatabase({ url: roles.ownerUrl }, { mode: 'test', service: asService });
      await addedGift(service, {});
      const before = await rowCounts(service);
      await expect(reset({ url: roles.serviceUrl })).rejects.toThrow(
        /Only the owner of the tables .*MIGRATION_DATABASE_URL/,
      );
      expect(await rowCounts(service)).toEqual(before);
      expect((await reset({ url: roles.ownerUrl })).map(({ table }) => table)).toContain('contribution');
    } finally {
      await service.stop();
      await roles.drop();
    }
  });
});
