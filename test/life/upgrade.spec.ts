import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { migrationStatus } from '../../src/database/index.js';
import { startBareServer } from '../support/bare-server.js';
import { Client } from '../support/client.js';
import { freePort } from '../support/free-port.js';
import { assertLedgerInvariants, readClosedBundles } from '../support/ledger-invariants.js';
import { Load } from '../support/load.js';
import { type MailServer, startMailServer } from '../support/mail-server.js';
import { matchMails, untilNotified } from '../support/notices.js';
import { createApiUser, type ServiceProcess, startServiceProcess } from '../support/service-process.js';
import { gift } from '../support/test-app.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { until } from '../support/until.js';
import { assertSameRows, readAllRows } from './all-rows.js';
import { inEmbeddedBooks } from './embedded-books.js';
import { fillBooks } from './filled-books.js';
import { buildPreviousProgram, type PreviousProgram, previousReleaseIsThere } from './previous-program.js';

const PASSWORD = 'the old and the new together';
const RECIPIENT = 'office@example.org';

let previous: PreviousProgram;
let database: TestDatabase;

const needsHistory = previousReleaseIsThere ? describe : describe.skip;
needsHistory('an upgrade (skipped only if git does not have the released commit)', () => {
  beforeAll(async () => {
    previous = buildPreviousProgram();
    database = await createTestDatabase({ empty: true });
  });
  afterAll(async () => {
    await database.drop();
    previous.remove();
  });

  const variables = (on = database): Record<string, string> => ({ DATABASE_URL: on.url, FINANCE_EMAILS: RECIPIENT });
  const clientOf = (service: ServiceProcess): Client => new Client(service.url, 'api', PASSWORD);
  const ended = async (...services: readonly ServiceProcess[]): Promise<void> => {
    for (const service of services) expect(await service.end('SIGTERM')).toBe(0);
  };

  /** Has the released version fold names and contacts by its own rule. */
  const foldAsReleased = async (root: string): Promise<void> => {
    await database.query('UPDATE folding SET version = 0');
    await ended(await startServiceProcess(variables(), root));
  };

  it('keeps all rows of the released version, and continues with its books', async () => {
    const old = await startServiceProcess(variables(), previous.root);
    await createApiUser(variables(), PASSWORD, previous.root);
    const fields = gift('old', { Amount: '12.34' });
    const { body: answer } = await clientOf(old).add(fields, 'key of before');
    const inEuros = await addInEuros(clientOf(old));
    await ended(old);
    await fillBooks(database);
    await foldAsReleased(previous.root);
    const closed = await readClosedBundles(database);
    const before = await readAllRows(database);
    before.delete('migrations');

    const service = await startServiceProcess(variables());
    expect((await migrationStatus(database.connection)).pending).toEqual([]);
    assertSameRows(before, asBefore(before, await readAllRows(database)));

    expect(await clientOf(service).add(fields, 'key of before')).toMatchObject({ status: 200, body: answer });
    await assertRepeated(clientOf(service), inEuros);
    const added = await clientOf(service).add(gift('new'));
    expect(await clientOf(service).reverse(Number(added.body['ContributionId']))).toMatchObject({ status: 200 });
    expect(await clientOf(service).reverse(Number(answer['ContributionId']))).toMatchObject({ status: 200 });
    await ended(service);
    await assertLedgerInvariants(database, closed);
  });

  it('gives the service on an embedded database its own role, and can be reverted', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'offertory-embedded-upgrade-'));
    chmodSync(dataDir, 0o755);
    const embedded = { DATA_DIR: join(dataDir, 'data'), FINANCE_EMAILS: RECIPIENT };
    const roles = (): Promise<{ owner: string; service: boolean }[]> =>
      inEmbeddedBooks(embedded.DATA_DIR, ({ query }) =>
        query(`SELECT pg_get_userbyid(relowner) AS owner, EXISTS (SELECT FROM pg_roles
          WHERE rolname = 'offertory_service' AND has_table_privilege(pg_roles.oid, 'contribution', 'INSERT')
            AND NOT rolsuper) AS service FROM pg_class WHERE relname = 'contribution'`),
      );
    await createApiUser(embedded, PASSWORD, previous.root);
    const fields = gift('embedded');
    const ids: number[] = [];
    for (const root of [previous.root, undefined, previous.root, undefined]) {
      const service = await startServiceProcess(embedded, root);
      const { body } = await clientOf(service).add(fields);
      expect(body).toMatchObject({ NewPerson: ids.length === 0 });
      ids.push(Number(body['ContributionId']));
      if (root === undefined) expect(service.output()).not.toContain('(rights)');
      await ended(service);
    }
    // Files that get another owner do not look like restored ones.
    expect(ids).toEqual([1, 2, 3, 4]);
    expect(await roles()).toEqual([{ owner: 'postgres', service: true }]);
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('can be reverted: the released version works on the new schema, and beside the new version', async () => {
    const together = await createTestDatabase();
    await createApiUser(variables(together), PASSWORD);
    const mails: MailServer = await startMailServer();
    const environment = { ...variables(together), SMTP_URL: mails.url };
    const services = [await startServiceProcess(environment, previous.root), await startServiceProcess(environment)];
    const [old, now] = services.map(clientOf) as [Client, Client];
    for (const [name, one, other] of [['old', old, now] as const, ['now', now, old] as const]) {
      const fields = gift(name, { TransactionId: `by ${name}`, Source: 'txt2give' });
      const added = await one.add(fields, `key of ${name}`);
      const id = Number(added.body['ContributionId']);
      expect(added).toMatchObject({ status: 200, body: { NewPerson: true } });
      expect(await other.read(id)).toMatchObject({ status: 200, body: { status: 'Recorded', amount: '10.00' } });
      expect(await other.add(fields, `key of ${name}`)).toMatchObject({ status: 200, body: added.body });
      expect(await other.add(gift(name))).toMatchObject({ status: 200, body: { NewPerson: false } });
      // Bundles closed by the new version stay closed for the old one, which opens another.
      await together.query('UPDATE bundle SET status = 0, closed_at = now() WHERE status = 1');
      expect(await other.reverse(id, 'test', `reversal of ${name}`)).toMatchObject({ status: 200 });
      expect(await one.reverse(id, 'test', `reversal of ${name}`)).toMatchObject({ status: 200 });
      expect(await one.reverse(id)).toMatchObject({ status: 409, body: { code: 'already_reversed' } });
    }
    // The released version ignores Currency, so its digests do not cover it.
    await assertRepeated(now, await addInEuros(old));
    const inDollars = gift('dollars', { TransactionId: 'in dollars', Source: 'txt2give', Currency: 'USD' });
    const added = await now.add(inDollars, 'key of dollars');
    for (const key of ['key of dollars', undefined]) {
      expect(await now.add(inDollars, key)).toMatchObject({ status: 200, body: added.body });
      // The old version takes this for another request: refused, and not recorded twice.
      expect(await old.add(inDollars, key)).toMatchObject({ status: 422 });
    }
    await untilNotified(together, 1, 30_000);
    await ended(...services);
    expect(await matchMails(together, mails.mails)).toEqual({ delivered: 2, repeated: 0 });
    await mails.stop();
    await assertLedgerInvariants(together);
    await together.drop();
  });

  it('sends the notice that the released version was sending when it was killed', async () => {
    const interrupted = await createTestDatabase({ empty: true });
    const [hanging, mails] = [await startBareServer(() => undefined), await startMailServer()];
    const on = (port: string): Record<string, string> => ({ ...variables(interrupted), SMTP_URL: port });
    const old = await startServiceProcess(on(`smtp://127.0.0.1:${hanging.port}`), previous.root);
    await createApiUser(variables(interrupted), PASSWORD, previous.root);
    await addReversed(clientOf(old));
    await until(() => hanging.calls() > 0);
    const now = await startServiceProcess(on(mails.url));
    await old.end('SIGKILL');
    // As if a minute had passed.
    await interrupted.query(
      `UPDATE pgboss.job SET started_on = started_on - interval '1 minute' WHERE state = 'active'`,
    );
    await untilNotified(interrupted, 1, 30_000);
    expect(await matchMails(interrupted, mails.mails)).toEqual({ delivered: 1, repeated: 0 });
    await ended(now);
    await Promise.all([hanging.stop(), mails.stop()]);
    await interrupted.drop();
  });

  it('can be reverted with pending notices, which the released version sends', async () => {
    const back = await createTestDatabase();
    await createApiUser(variables(back), PASSWORD);
    const mails = await startMailServer();
    const now = await startServiceProcess({ ...variables(back), SMTP_URL: `smtp://127.0.0.1:${await freePort()}` });
    await addReversed(clientOf(now));
    await until(async () => (await back.query('SELECT FROM delivery WHERE attempts > 0')).length === 1);
    await ended(now);
    const old = await startServiceProcess({ ...variables(back), SMTP_URL: mails.url }, previous.root);
    // As if an hour had passed: the next attempt is overdue.
    await back.query(`UPDATE job SET due_at = due_at - interval '1 hour'`);
    await untilNotified(back, 1, 30_000);
    await ended(old);
    expect(await matchMails(back, mails.mails)).toEqual({ delivered: 1, repeated: 0 });
    await mails.stop();
    await back.drop();
  });

  it('matches givers that the released version adds beside the new one, during that time and afterwards', async () => {
    const shared = await createTestDatabase({ empty: true });
    const old = await startServiceProcess(variables(shared), previous.root);
    await createApiUser(variables(shared), PASSWORD, previous.root);
    const before = await clientOf(old).add(giver('before'));
    const now = await startServiceProcess(variables(shared));
    const beside = await clientOf(old).add(giver('beside'));
    const created = await clientOf(now).add(giver('created'));
    for (const [unique, { body }] of [
      ['before', before] as const,
      ['beside', beside] as const,
      ['created', created] as const,
    ]) {
      const same = { status: 200, body: { PeopleId: body['PeopleId'], NewPerson: false, MultipleMatches: false } };
      expect(body['NewPerson']).toBe(true);
      for (const program of [now, old]) expect(await clientOf(program).add(giver(unique))).toMatchObject(same);
    }
    await ended(old);
    // The job runs every minute.
    await until(async () => (await shared.query('SELECT 1 FROM person_to_fold')).length === 0, 150_000);
    for (const [unique, { body }] of [
      ['before', before] as const,
      ['beside', beside] as const,
      ['created', created] as const,
    ]) {
      const same = { status: 200, body: { PeopleId: body['PeopleId'], NewPerson: false, MultipleMatches: false } };
      expect(await clientOf(now).add(giver(unique, `stjohn${unique}jr`))).toMatchObject(same);
    }
    await ended(now);
    await assertLedgerInvariants(shared);
    await shared.drop();
  });

  it('loses nothing while processors send gifts: the new version migrates beside the released one and replaces it', async () => {
    const busy = await createTestDatabase({ empty: true });
    const old = await startServiceProcess(variables(busy), previous.root);
    await createApiUser(variables(busy), PASSWORD, previous.root);
    const before = new Load({ name: 'before', login: ['api', PASSWORD], urls: [old.url], clients: 8 });
    await before.succeed(50);
    const now = await startServiceProcess(variables(busy));
    const both = new Load({ name: 'both', login: ['api', PASSWORD], urls: [old.url, now.url], clients: 8 });
    await Promise.all([before.succeed(100), both.succeed(100)]);
    await before.stop();
    await ended(old);
    await both.succeed(50);
    await both.stop();
    await ended(now);

    expect([...before.tally.seen.keys()].filter((seen) => !/^(200|503)/.test(seen))).toEqual([]);
    for (const load of [before, both]) await load.assertBooked(busy);
    await assertLedgerInvariants(busy);
    await busy.drop();
  });
});

async function addReversed(client: Client): Promise<void> {
  const added = await client.add(gift('reversed'));
  expect(await client.reverse(Number(added.body['ContributionId']))).toMatchObject({ status: 200 });
}

interface Sent {
  readonly fields: object;
  readonly key: string | undefined;
  readonly answer: Awaited<ReturnType<Client['add']>>;
}

/** Sends gifts in another currency to a program that ignores Currency: one with a key, one with a TransactionId. */
async function addInEuros(client: Client): Promise<Sent[]> {
  const withKey = { fields: gift('euros', { Currency: 'EUR' }), key: 'key of euros' };
  const withId = { fields: gift('eur', { Currency: 'eur', TransactionId: 'in euros', Source: 'a' }), key: undefined };
  const sent: Sent[] = [];
  for (const { fields, key } of [withKey, withId]) {
    const answer = await client.add(fields, key);
    expect(answer).toMatchObject({ status: 200 });
    sent.push({ fields, key, answer });
  }
  return sent;
}

/** Expects that stored calls are replayed, although a new gift in that currency is refused. */
async function assertRepeated(client: Client, sent: readonly Sent[]): Promise<void> {
  for (const { fields, key, answer } of sent) {
    expect(await client.add(fields, key)).toMatchObject({ status: 200, body: answer.body });
  }
  expect(await client.add(gift('more', { Currency: 'EUR' }))).toMatchObject({
    status: 422,
    body: { code: 'currency_mismatch' },
  });
}

/** A giver whose last name the released version and the new one fold differently. */
function giver(unique: string, last = `St. John ${unique}, Jr.`): Record<string, unknown> {
  return gift(unique, { Last: last });
}

/** Columns and tables derived from names and contacts; a new version may derive them differently. */
const FOLDED = /_folded$|^folded$/;
const DERIVED = ['match_key', 'folding'];

/** Roles that versions after the released one have added. */
const NEW_ROLES = ['Auditor'];

/** The tables and columns that existed before, without derived ones. */
function asBefore(before: Map<string, string[]>, after: Map<string, string[]>): Map<string, string[]> {
  const kept = new Map<string, string[]>();
  for (const table of DERIVED) before.delete(table);
  for (const [table, rows] of before) {
    const columns = Object.keys(JSON.parse(rows[0] ?? '{}') as object).filter((column) => !FOLDED.test(column));
    const same = (after.get(table) ?? []).filter((row) => table !== 'role' || !isNewRole(row));
    kept.set(
      table,
      same.map((row) => reduce(row, columns)),
    );
    before.set(
      table,
      rows.map((row) => reduce(row, columns)),
    );
  }
  return kept;
}

function isNewRole(row: string): boolean {
  return NEW_ROLES.includes((JSON.parse(row) as { name: string }).name);
}

function reduce(row: string, columns: readonly string[]): string {
  const values = JSON.parse(row) as Record<string, unknown>;
  return JSON.stringify(columns.map((column) => [column, values[column]]));
}
