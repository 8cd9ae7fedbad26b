import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Client } from 'pg';
import { Tokens, UserAccounts } from '../../src/auth/index.js';
import { Funds } from '../../src/contributions/funds/index.js';
import { migrateDatabase } from '../../src/database/index.js';
import { ENTITIES } from '../../src/parts.js';
import { Notices } from '../../src/notifications/notices/notices.service.js';
import { Contacts } from '../../src/people/contacts/contacts.service.js';
import { RefoldPersons } from '../../src/people/index.js';
import { MergePersons } from '../../src/people/merging/merge-persons.service.js';
import { PersonRecords } from '../../src/people/person-records.service.js';
import { addedGift } from '../contract/gift-requests.js';
import { email, giver } from '../contract/givers.js';
import { type DatabaseRoles, makeRoles } from '../support/database-roles.js';
import { type Login, ROLES, startTestApp, type TestApp } from '../support/test-app.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { until } from '../support/until.js';

const FINANCE: Login = ['treasurer', 'some long password'];

let database: TestDatabase;
let roles: DatabaseRoles;
let service: TestApp;

beforeAll(async () => {
  // Like an older installation whose tables were made by one role: they are handed over to the owner.
  database = await createTestDatabase();
  roles = await makeRoles(database);
  await migrateDatabase(
    { url: roles.ownerUrl },
    { service: { connection: { url: roles.serviceUrl }, entities: ENTITIES } },
  );
  const asService = { ...database, connection: { url: roles.serviceUrl } };
  service = await startTestApp(
    { FINANCE_EMAILS: 'office@example.org', LOGIN_FAILURES_PER_MINUTE: '2' },
    { database: asService, workers: true },
  );
  await service.createUser(...service.login, ROLES);
  await service.createUser(...FINANCE, ['Finance'], 'treasurer@example.org');
});
afterAll(async () => {
  await service.stop();
  await database.drop();
  await roles.drop();
});

const post = (path: string, body: object = {}): Promise<unknown> =>
  Promise.resolve(
    service
      .http()
      .post(path)
      .auth(...FINANCE)
      .send(body)
      .expect(200),
  );

describe('the service in a role with the least rights', () => {
  it('adds, matches, replays, previews and reads gifts', async () => {
    const sent = giver();
    const first = await addedGift(service, sent);
    expect(await addedGift(service, { ...sent, Email: email() })).toMatchObject({ PeopleId: first.PeopleId });
    const keyed = { ...giver(), Source: 'kiosk', TransactionId: '1' };
    for (let i = 0; i < 2; i++) await service.add(keyed).set('Idempotency-Key', 'role').expect(200);
    await service.add(keyed).expect(200);
    await service.add().query({ dryRun: 'true' }).expect(200);
    await service.read(first.ContributionId).expect(200);
    await service.http().get('/health/ready').expect(200);
  });

  it('reverses gifts, notifies Finance, and sends failed notices again', async () => {
    const { ContributionId } = await addedGift(service, giver());
    await service.reverse(`${ContributionId}/role`).set('Idempotency-Key', 'back').expect(200);
    const sent = `SELECT id FROM delivery WHERE status = 'sent'`;
    await until(async () => (await database.query(sent)).length === 2);
    await database.query(`UPDATE delivery SET status = 'failed', sent_at = NULL`);
    expect(await service.app.get(Notices, { strict: false }).retry('all')).toBe(2);
    await until(async () => (await database.query(sent)).length === 2);
  });

  it('merges and edits persons, confirms and removes contacts, reassigns gifts, accepts reviews', async () => {
    const one = await addedGift(service, giver());
    const two = await addedGift(service, giver());
    const doubtful = await addedGift(service, { ...giver(), PeopleId: one.PeopleId });
    const contacts = service.app.get(Contacts, { strict: false });
    const [phone, mail] = await contacts.list(one.PeopleId);
    await service.app.get(PersonRecords, { strict: false }).edit(one.PeopleId, { first: 'Skip', formerLast: 'Before' });
    await contacts.confirm(Number(phone?.id));
    await contacts.remove(Number(mail?.id));
    await post(`/Api/Contributions/${doubtful.ContributionId}/reassign`, { PeopleId: two.PeopleId });
    await service.app.get(MergePersons, { strict: false }).merge(one.PeopleId, two.PeopleId);
    const again = await addedGift(service, { ...giver(), PeopleId: two.PeopleId });
    const [review] = await database.query<{ id: number }>('SELECT id FROM review WHERE contribution_id = $1', [
      again.ContributionId,
    ]);
    await post(`/Api/Reviews/${review?.id}/accept`);
  });

  it('changes users, counts wrong passwords, and refolds persons', async () => {
    const users = service.app.get(UserAccounts);
    await users.create('other', 'some long password', { roles: ['Developer'] });
    await users.setPassword('other', 'another long password');
    await users.grant('other', ['APIOnly']);
    await users.revoke('other', ['APIOnly', 'Developer']);
    await users.setActive('other', false);
    const statuses = [];
    for (let i = 0; i < 3; i++) statuses.push((await service.add({}, ['other', `wrong number ${i}`])).status);
    expect(statuses).toEqual([401, 401, 429]);
    await database.query(`UPDATE folding SET version = 0; UPDATE person SET email_folded = NULL WHERE id = 1`);
    await service.app.get(RefoldPersons).refoldAll();
  });

  it('creates, uses and revokes tokens', async () => {
    const tokens = service.app.get(Tokens);
    const { id, token } = await tokens.create('api', { lifetimeHours: 24, networks: ['127.0.0.1/32'] });
    await service.add(giver(), ['api', token]).expect(200);
    await until(async () => (await tokens.list('api'))[0]?.lastUsedAt !== null);
    await tokens.revoke(id);
    await service.add(giver(), ['api', token]).expect(401);
  });

  it('purges old idempotency keys', async () => {
    await database.query(`
      INSERT INTO idempotency_key (user_id, operation, key, request_digest, created_at)
      SELECT id, 'AddContribution', 'old', '', now() - interval '31 days' FROM app_user LIMIT 1;
      INSERT INTO job (queue) VALUES ('purge-idempotency-keys')`);
    await until(async () => (await database.query(`SELECT FROM idempotency_key WHERE key = 'old'`)).length === 0);
  });

  it('takes over jobs of the previous release, and leaves that release its other queues', async () => {
    await database.query(`
      INSERT INTO pgboss.job (name, data) VALUES ('send-delivery', '{"deliveryId": -1}');
      UPDATE job SET due_at = now() WHERE queue = 'adopt-pgboss-jobs'`);
    const left = `SELECT FROM pgboss.job WHERE data = '{"deliveryId": -1}'`;
    await until(async () => (await database.query(left)).length === 0);
    // A queue that this release does not process.
    await database.query(`
      SELECT pgboss.create_queue('elsewhere', '{"policy": "standard"}');
      INSERT INTO job (queue, due_at) VALUES ('elsewhere', now() - interval '1 hour')`);
    const before = new Client({ connectionString: roles.serviceUrl });
    await before.connect();
    await before.query(`DELETE FROM pgboss.archive WHERE archived_on < now() - interval '1 day'`);
    await before.end();
    expect(await database.query(`SELECT FROM pgboss.job WHERE name = 'elsewhere'`)).toHaveLength(1);
    await database.query(`DELETE FROM pgboss.job WHERE name = 'elsewhere'`);
  });

  it('creates, closes, opens and chooses funds', async () => {
    const funds = service.app.get(Funds, { strict: false });
    const { fundId } = await funds.create('Building');
    expect(await funds.setOpen(fundId, false)).toMatchObject({ name: 'Building', open: false });
    expect(await funds.setOpen(fundId, true)).toMatchObject({ open: true, default: false });
    expect(await funds.makeDefault(fundId)).toMatchObject({ default: true });
    expect(await funds.makeDefault(1)).toMatchObject({ fundId: 1, default: true });
    expect((await funds.list()).map((fund) => fund.default)).toEqual([true, false]);
  });

  it('starts without the owner when no migration is pending', async () => {
    expect(await migrateDatabase({ url: roles.serviceUrl })).toMatchObject({
      applied: [],
      rights: expect.stringMatching(/^none granted: the tables belong to .*_owner_.*docker compose run --rm migrate$/),
    });
  });

  it('leaves other roles their rights to read tables', async () => {
    const reader = `reader_${Date.now()}`;
    await database.query(`CREATE ROLE ${reader}; GRANT SELECT ON fund TO ${reader}`);
    await roles.again();
    await migrateDatabase(
      { url: roles.ownerUrl },
      { service: { connection: { url: roles.serviceUrl }, entities: ENTITIES } },
    );
    const [may] = await database.query(
      `SELECT has_database_privilege($1, current_database(), 'CONNECT') AS connect,
         has_schema_privilege($1, 'public', 'USAGE') AS usage, has_table_privilege($1, 'fund', 'SELECT') AS read`,
      [reader],
    );
    await database.query(`DROP OWNED BY ${reader}; DROP ROLE ${reader}`);
    expect(may).toEqual({ connect: true, usage: true, read: true });
  });

  it('gets its exact rights although there is a table of another program', async () => {
    const role = new URL(roles.serviceUrl).username;
    await database.query(`
      CREATE TABLE public.pledge_card AS SELECT 1 AS id;
      REVOKE INSERT ON contribution FROM ${role};
      GRANT DELETE ON contribution, pgboss.version TO ${role}`);
    const migrated = migrateDatabase(
      { url: roles.ownerUrl },
      { service: { connection: { url: roles.serviceUrl }, entities: ENTITIES } },
    );
    await migrated.finally(() => database.query('DROP TABLE public.pledge_card'));
    expect(await migrated).toEqual({ applied: [], rights: `granted to ${role}` });
    const [may] = await database.query(
      `SELECT has_table_privilege($1, 'contribution', 'INSERT') AS insert,
         has_table_privilege($1, 'contribution', 'DELETE') OR has_table_privilege($1, 'pgboss.version', 'DELETE') AS delete`,
      [role],
    );
    expect(may).toEqual({ insert: true, delete: false });
  });

  it('is the only role that may take ids, even after a restore that has granted this to everybody', async () => {
    const [stranger, migrate] = [
      `stranger_${Date.now()}`,
      () =>
        migrateDatabase(
          { url: roles.ownerUrl },
          { service: { connection: { url: roles.serviceUrl }, entities: ENTITIES } },
        ),
    ];
    const may = async (role: string): Promise<unknown> => {
      const [answer] = await database.query<{ may: boolean }>(
        `SELECT has_function_privilege($1, 'next_id(regclass)', 'EXECUTE') AS may`,
        [role],
      );
      return answer?.may;
    };
    await database.query(`CREATE ROLE ${stranger}`);
    expect(await may(stranger)).toBe(false);
    for (const again of [migrate, () => migrateDatabase({ url: roles.ownerUrl })]) {
      await database.query('GRANT EXECUTE ON FUNCTION next_id TO PUBLIC');
      await again();
      expect([await may(stranger), await may(new URL(roles.serviceUrl).username)]).toEqual([false, true]);
    }
    await database.query(`DROP ROLE ${stranger}`);
  });

  it('is not reported as granted rights when the URLs of both roles are swapped', async () => {
    await expect(
      migrateDatabase(
        { url: roles.serviceUrl },
        { service: { connection: { url: roles.ownerUrl }, entities: ENTITIES } },
      ),
    ).rejects.toThrow(
      /^The rights of offertory_owner_\S+ were not granted: the tables belong to .*Set MIGRATION_DATABASE_URL/,
    );
  });

  it('gets its rights from the owner again after the script of roles has run again', async () => {
    await roles.again();
    await migrateDatabase(
      { url: roles.ownerUrl },
      { service: { connection: { url: roles.serviceUrl }, entities: ENTITIES } },
    );
    await addedGift(service, giver());
  });
});

describe('the service role may not', () => {
  it.each([
    ['create a table', 'CREATE TABLE mine (id integer)'],
    ['create a temporary table', 'CREATE TEMPORARY TABLE mine (id integer)'],
    ['create a schema', 'CREATE SCHEMA mine'],
    ['add a column', 'ALTER TABLE contribution ADD COLUMN mine integer'],
    ['drop a table', 'DROP TABLE contribution'],
    ['disable a trigger', 'ALTER TABLE audit_entry DISABLE TRIGGER ALL'],
    ['create a queue', `SELECT pgboss.create_queue('mine', '{"policy": "standard"}')`],
    ['delete a gift', 'DELETE FROM contribution'],
    ['change an amount', 'UPDATE contribution SET amount = 1'],
    ['change a day', `UPDATE contribution SET day = '2026-01-01'`],
    ['move a gift to another bundle', 'UPDATE contribution SET bundle_id = 1'],
    ['delete a person', 'DELETE FROM person'],
    ['delete a notice', 'DELETE FROM notice'],
    ['change a notice', `UPDATE notice SET content = '{}'`],
    ['rename a user', `UPDATE app_user SET username = 'nobody'`],
    ['add a scope to a token', `UPDATE api_token SET scopes = '{add}'`],
    ['delete a token', 'DELETE FROM api_token'],
    ['change an audit entry', `UPDATE audit_entry SET actor = 'nobody'`],
    ['delete an audit entry', 'DELETE FROM audit_entry'],
    ['truncate the audit trail', 'TRUNCATE audit_entry'],
    [
      'choose the time of an audit entry',
      `INSERT INTO audit_entry (at, actor, action, subject) VALUES (now(), 'a', 'a.b', 'c')`,
    ],
    ['record a migration', `INSERT INTO migrations (timestamp, name) VALUES (1, 'mine')`],
    ['take an id of a sequence it does not use', `SELECT next_id('migrations_id_seq')`],
    ['become another role', 'SET ROLE pg_read_all_data'],
  ])('%s', async (_what, statement) => {
    const client = new Client({ connectionString: roles.serviceUrl });
    await client.connect();
    try {
      await expect(client.query(statement)).rejects.toMatchObject({ code: '42501' });
    } finally {
      await client.end();
    }
  });

  it('migrate, and is told what to do', async () => {
    const [last] = await database.query<{ name: string; timestamp: string }>(
      'DELETE FROM migrations WHERE id = (SELECT max(id) FROM migrations) RETURNING name, timestamp',
    );
    // TypeORM prints its failure as well as throwing it.
    const printed = jest.spyOn(console, 'log').mockImplementation(() => undefined);
    await expect(migrateDatabase({ url: roles.serviceUrl })).rejects.toThrow('Set MIGRATION_DATABASE_URL');
    printed.mockRestore();
    await database.query('INSERT INTO migrations (name, timestamp) VALUES ($1, $2)', [last?.name, last?.timestamp]);
  });
});
