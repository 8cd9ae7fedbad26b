import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Client } from 'pg';
import { Tokens, UserAccounts } from '../../src/auth/index.js';
import { Funds } from '../../src/contributions/funds/index.js';
import { migrateDatabase } from '../../src/database/index.js';
import { ENTITIES } from '../../src/parts.js';
import { Notices } from '../../src/notifications/notices/notices.service.js';
import { Contacts } from '../../src/people/contacts/contacts.service.js';
import { RefoldPersons } from '../../src/people/index.js';
import { PersonRecords } from '../../src/people/person-records.service.js';
import { postAs } from '../finance/finance-calls.js';
import { addedGift } from '../contract/gift-requests.js';
import { email, giver } from '../contract/givers.js';
import { type DatabaseRoles, makeRoles } from '../support/database-roles.js';
import { type Login, ROLES, startTestApp, type TestApp } from '../support/test-app.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { until } from '../support/until.js';
import { makeEveryDepositCall } from './deposit-calls.js';
import { mergePersons } from '../support/merge-persons.js';

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
    await service.app
      .get(PersonRecords, { strict: false })
      .edit({ peopleId: one.PeopleId, first: 'Skip', formerLast: 'Before' });
    await contacts.confirm(Number(phone?.id));
    await contacts.remove(Number(mail?.id));
    await post(`/Api/Contributions/${doubtful.ContributionId}/reassign`, { PeopleId: two.PeopleId });
    await mergePersons(service, { from: one.PeopleId, into: two.PeopleId });
    const again = await addedGift(service, { ...giver(), PeopleId: two.PeopleId });
    const [review] = await database.query<{ id: number }>('SELECT id FROM review WHERE contribution_id = $1', [
      again.ContributionId,
    ]);
    await post(`/Api/Reviews/${review?.id}/accept`);
  });

  it('changes users, counts wrong passwords, and refolds persons', async () => {
    const users = service.app.get(UserAccounts);
    await users.create({ username: 'other', password: 'some long password', roles: ['Developer'] });
    await users.setPassword({ username: 'other', password: 'another long password' });
    await users.grant({ username: 'other', roles: ['APIOnly'] });
    await users.revoke({ username: 'other', roles: ['APIOnly', 'Developer'] });
    await users.setActive({ username: 'other', active: false });
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

  it('stores, changes, finds, reconciles and closes deposits', () => makeEveryDepositCall(service, FINANCE));

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
    expect(await funds.setOpen({ fundId, open: false })).toMatchObject({ name: 'Building', open: false });
    expect(await funds.setOpen({ fundId, open: true })).toMatchObject({ open: true, default: false });
    expect(await funds.makeDefault(fundId)).toMatchObject({ default: true });
    expect(await funds.makeDefault(1)).toMatchObject({ fundId: 1, default: true });
    expect((await funds.list()).map((fund) => fund.default)).toEqual([true, false]);
  });

  it('renames a fund, and finds it by its former name', async () => {
    const funds = service.app.get(Funds, { strict: false });
    const { fundId } = await funds.create('Mission');
    expect(await funds.rename({ fundId, name: 'Missions' })).toMatchObject({ fundId, name: 'Missions' });
    await service.add({ ...giver(), FundName: 'mission' }).expect(200);
  });

  it('adds and edits a person, and adds a contact', async () => {
    const finance = await service.createUser('desk', 'some long password', ['Finance']);
    const sent = giver();
    const created = await postAs(service, finance, 'People', { ...sent, Nickname: 'Skip' }).expect(200);
    const { peopleId } = created.body as { peopleId: number };
    const { version } = (await service.get(`People/${peopleId}`, finance).expect(200)).body as { version: string };
    const details = { ...giver(), Address: 'Main Street', Zip: '38103', Deceased: true };
    await postAs(service, finance, `People/${peopleId}/edit`, { ...details, Version: version }).expect(200);
    await postAs(service, finance, `People/${peopleId}/contacts`, { Kind: 'email', Value: email() }).expect(200);
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

  it('is the only role that may take ids and change users, even after a restore that has granted this to everybody', async () => {
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
        `SELECT DISTINCT has_function_privilege($1, oid, 'EXECUTE') AS may FROM pg_proc
         WHERE oid::regprocedure::text ~ '^(next_id|create_user|(set|grant|revoke)_user_[a-z]+)[(]'`,
        [role],
      );
      return answer?.may;
    };
    await database.query(`CREATE ROLE ${stranger}`);
    expect(await may(stranger)).toBe(false);
    for (const again of [migrate, () => migrateDatabase({ url: roles.ownerUrl })]) {
      await database.query('GRANT EXECUTE ON FUNCTION next_id, create_user, grant_user_roles TO PUBLIC');
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

describe('a session with the password of the service role', () => {
  const HASH = `$argon2id$v=19$m=19456,t=2,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`;

  async function asService(statement: string, values: unknown[]): Promise<unknown> {
    const client = new Client({ connectionString: roles.serviceUrl });
    await client.connect();
    try {
      return await client.query(statement, values);
    } finally {
      await client.end();
    }
  }

  it.each([
    [
      'creates a user',
      'create_user($1, $2, $3, $4, $5)',
      ['mallory', HASH, 'm@example.org', ['Finance']],
      'user.create',
    ],
    ['sets a password', 'set_user_password($1, $2, $3)', ['treasurer', HASH], 'user.set-password'],
    ['changes the address for notices', 'set_user_email($1, $2, $3)', ['treasurer', 'm@example.org'], 'user.set-email'],
    ['removes the address for notices', 'set_user_email($1, $2, $3)', ['treasurer', null], 'user.set-email'],
    ['disables a user', 'set_user_active($1, $2, $3)', ['treasurer', false], 'user.disable'],
    ['enables a user', 'set_user_active($1, $2, $3)', ['treasurer', true], 'user.enable'],
    ['grants a role', 'grant_user_roles($1, $2, $3)', ['api', ['Finance']], 'user.grant'],
    ['revokes a role', 'revoke_user_roles($1, $2, $3)', ['api', ['Finance']], 'user.revoke'],
  ])('%s only with an entry in the audit trail', async (_what, call, values, action) => {
    const [before] = await database.query<{ id: number }>('SELECT max(id) AS id FROM audit_entry');
    await asService(`SELECT ${call}`, ['command line: mallory', ...values]);
    expect(await database.query('SELECT actor, action, subject FROM audit_entry WHERE id > $1', [before?.id])).toEqual([
      { actor: 'command line: mallory', action, subject: `user ${String(values[0])}` },
    ]);
  });

  it.each([
    ['in the name of a user', 'grant_user_roles($1, $2, $3)', ['treasurer', 'api', ['Finance']]],
    ['in the name of nobody', 'grant_user_roles($1, $2, $3)', [null, 'api', ['Finance']]],
    ['with an unknown role', 'grant_user_roles($1, $2, $3)', ['service: root', 'api', ['Superuser']]],
    ['with a password that is not hashed', 'set_user_password($1, $2, $3)', ['service: root', 'api', 'secret']],
    ['without a password', 'set_user_password($1, $2, $3)', ['service: root', 'api', null]],
    ['with two lines as an address', 'set_user_email($1, $2, $3)', ['service: root', 'api', 'a@b.c\nBcc: d@e.f']],
    ['with two addresses', 'set_user_email($1, $2, $3)', ['service: root', 'api', 'a@b.c,d@e.f']],
    ['with an address and a name', 'set_user_email($1, $2, $3)', ['service: root', 'api', 'Mallory a@b.c']],
    [
      'with a password that costs too much to check',
      'set_user_password($1, $2, $3)',
      ['service: root', 'api', HASH.replace('m=19456,t=2', 'm=999999,t=99')],
    ],
    [
      'with a password that is fast to guess',
      'set_user_password($1, $2, $3)',
      ['service: root', 'api', HASH.replace('t=2', 't=0')],
    ],
    ...['', ' ', 'two\nlines', 'next\u0085line', 'Command Line', 'a:b', 'x'.repeat(101), ' api', null].map(
      (name): [string, string, unknown[]] => [
        `with the name ${JSON.stringify(name)}`,
        'create_user($1, $2, $3, $4, $5)',
        ['service: root', name, HASH, null, ['Finance']],
      ],
    ),
  ])('cannot change a user %s', async (_what, call, values) => {
    const state = 'SELECT count(*) FROM audit_entry';
    const before = await database.query(state);
    await expect(asService(`SELECT ${call}`, values)).rejects.toMatchObject({ code: '22023' });
    expect(await database.query(state)).toEqual(before);
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
    ['create a token', `INSERT INTO api_token (user_id, digest, scopes) VALUES (1, sha256('mine'), '{add}')`],
    ['make a revoked token valid', 'UPDATE api_token SET revoked_at = NULL'],
    ['add a user', `INSERT INTO app_user (username, password_hash) VALUES ('mallory', '')`],
    ['change a password hash', `UPDATE app_user SET password_hash = ''`],
    ['change the address for notices', `UPDATE app_user SET email = 'mallory@example.org'`],
    ['enable a user', 'UPDATE app_user SET active = true'],
    ['grant a role of the API', `INSERT INTO app_user_role SELECT 1, id FROM role WHERE name = 'Finance'`],
    ['revoke a role of the API', 'DELETE FROM app_user_role'],
    ['lock a user', 'SELECT FROM app_user FOR UPDATE'],
    ['run a program', `COPY (SELECT 1) TO PROGRAM 'cat >/dev/null'`],
    ['write a file', `COPY (SELECT 1) TO '/dev/null'`],
    ['read a file', `SELECT pg_read_file('PG_VERSION')`],
    ['create a role of the database', 'CREATE ROLE mallory'],
    ['change an audit entry', `UPDATE audit_entry SET actor = 'nobody'`],
    ['delete an audit entry', 'DELETE FROM audit_entry'],
    ['truncate the audit trail', 'TRUNCATE audit_entry'],
    [
      'choose the time of an audit entry',
      `INSERT INTO audit_entry (at, actor, action, subject) VALUES (now(), 'a', 'a.b', 'c')`,
    ],
    [
      'record the change of a user that was not made',
      `INSERT INTO audit_entry (actor, action, subject) VALUES ('service: root', 'user.grant', 'user treasurer')`,
    ],
    [
      'record a new epoch',
      `INSERT INTO audit_entry (actor, action, subject) VALUES ('service: root', 'database.new-epoch', 'database')`,
    ],
    [
      'record an action of nobody',
      `INSERT INTO audit_entry (actor, action, subject) VALUES ('nobody', 'bundle.close', 'bundle 1')`,
    ],
    [
      'record an action of a user as one of the command line of another account',
      `INSERT INTO audit_entry (actor, via, action, subject) VALUES ('command line: root', 'api', 'bundle.close', 'bundle 1')`,
    ],
    [
      'record an action as one beside the service',
      `INSERT INTO audit_entry (actor, via, action, subject) VALUES ('api', 'database', 'bundle.close', 'bundle 1')`,
    ],
    [
      'add a seal',
      `INSERT INTO audit_seal VALUES (1, now(), 1, 2147483647, '{1}', sha256('a'), sha256('b'), sha256('c'))`,
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
