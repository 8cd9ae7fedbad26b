import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { Tokens, UserAccounts } from '../../src/auth/index.js';
import { migrateDatabase } from '../../src/database/index.js';
import { ENTITIES } from '../../src/parts.js';
import { addedGift, readBack } from '../contract/gift-requests.js';
import { type DatabaseRoles, makeRoles } from '../support/database-roles.js';
import { type Login, startTestApp, type TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';
import { entriesOf, type RecordedEntry } from './recorded-entries.js';

let service: TestApp;
let roles: DatabaseRoles;
let finance: Login;
let psql: Client;
let closed: { bundleId: number; contributionId: number };

beforeAll(async () => {
  service = await startTestApp();
  finance = await service.createUser('treasurer', 'some long password', ['Finance'], 'treasurer@example.org');
  await service.createUser('victim', 'some long password', ['Developer'], 'victim@example.org');
  const { ContributionId } = await addedGift(service, {});
  const { bundleId } = await readBack(service, ContributionId);
  await service
    .http()
    .post(`/Api/Bundles/${bundleId}/close`)
    .auth(...finance)
    .expect(200);
  closed = { bundleId, contributionId: ContributionId };
  psql = new Client({ connectionString: service.database.url, application_name: 'psql' });
  await psql.connect();
});
afterAll(async () => {
  await psql.end();
  await service.stop();
});

/** What was recorded while this went on, the oldest first. */
const recordedBy = (work: () => PromiseLike<unknown>): Promise<RecordedEntry[]> => entriesOf(service.database, work);

const FINANCE_ROLE = `(SELECT id FROM role WHERE name = 'Finance')`;

/** The action, the subject and the details of the entry, besides the program. */
const CHANGES: readonly (readonly [
  what: string,
  statement: string,
  action: string,
  subject: string,
  details: object,
])[] = [
  [
    'another password hash',
    `UPDATE app_user SET password_hash = 'stolen hash' WHERE username = 'victim'`,
    'user-change',
    'user victim',
    { table: 'app_user', operation: 'UPDATE', columns: ['password_hash'] },
  ],
  [
    'another notice address, and a user that is disabled',
    `UPDATE app_user SET email = 'mallory@example.org', active = false WHERE username = 'victim'`,
    'user-change',
    'user victim',
    { table: 'app_user', operation: 'UPDATE', columns: ['email', 'active'] },
  ],
  [
    'another name of a user',
    `UPDATE app_user SET username = 'renamed' WHERE username = 'victim'`,
    'user-change',
    'user victim',
    { table: 'app_user', operation: 'UPDATE', columns: ['username'], renamedTo: 'renamed' },
  ],
  [
    'the name of a user that is put back',
    `UPDATE app_user SET username = 'victim' WHERE username = 'renamed'`,
    'user-change',
    'user renamed',
    { table: 'app_user', operation: 'UPDATE', columns: ['username'], renamedTo: 'victim' },
  ],
  [
    'a new user',
    `INSERT INTO app_user (username, password_hash) VALUES ('mallory', 'own hash')`,
    'user-change',
    'user mallory',
    { table: 'app_user', operation: 'INSERT' },
  ],
  [
    'a user less',
    `DELETE FROM app_user WHERE username = 'mallory'`,
    'user-change',
    'user mallory',
    { table: 'app_user', operation: 'DELETE' },
  ],
  [
    'a role more',
    `INSERT INTO app_user_role (user_id, role_id) SELECT id, ${FINANCE_ROLE} FROM app_user WHERE username = 'api'`,
    'user-change',
    'user api',
    { table: 'app_user_role', operation: 'INSERT', role: 'Finance' },
  ],
  [
    'a role less',
    `DELETE FROM app_user_role WHERE role_id = ${FINANCE_ROLE} AND user_id = (SELECT id FROM app_user WHERE username = 'api')`,
    'user-change',
    'user api',
    { table: 'app_user_role', operation: 'DELETE', role: 'Finance' },
  ],
  [
    'a new token',
    `INSERT INTO api_token (user_id, digest, scopes) SELECT id, sha256('mine'), '{add}' FROM app_user WHERE username = 'victim'`,
    'token-change',
    'token 1',
    { table: 'api_token', operation: 'INSERT' },
  ],
  [
    'a token with more scopes and another digest that was used',
    `UPDATE api_token SET scopes = '{add,read}', digest = sha256('stolen'), last_used_at = now()`,
    'token-change',
    'token 1',
    { table: 'api_token', operation: 'UPDATE', columns: ['digest', 'scopes'] },
  ],
  [
    'a revoked token',
    `UPDATE api_token SET revoked_at = now()`,
    'token-change',
    'token 1',
    { table: 'api_token', operation: 'UPDATE', columns: ['revoked_at'] },
  ],
  ['a token less', `DELETE FROM api_token`, 'token-change', 'token 1', { table: 'api_token', operation: 'DELETE' }],
  [
    'tokens that were emptied',
    `TRUNCATE api_token`,
    'token-change',
    'tokens',
    { table: 'api_token', operation: 'TRUNCATE' },
  ],
  [
    'another name of a role',
    `ALTER TABLE role DROP CONSTRAINT role_name_known; UPDATE role SET name = 'Renamed' WHERE name = 'APIOnly'`,
    'role-change',
    'role APIOnly',
    { table: 'role', operation: 'UPDATE', renamedTo: 'Renamed' },
  ],
  [
    'the name of a role that is put back',
    `UPDATE role SET name = 'APIOnly' WHERE name = 'Renamed'`,
    'role-change',
    'role Renamed',
    { table: 'role', operation: 'UPDATE', renamedTo: 'APIOnly' },
  ],
];

describe('SQL that bypasses the service leaves an entry', () => {
  it.each(CHANGES)('%s', async (_what, statement, action, subject, details) => {
    const entries = await recordedBy(() => psql.query(statement));
    expect(entries).toEqual([
      {
        actor: `database: ${psql.user ?? ''}`,
        via: 'database',
        action: `database.${action}`,
        subject,
        details: { application: 'psql', ...details },
      },
    ]);
    expect(JSON.stringify(entries)).not.toMatch(/hash"?:|stolen|own hash|@/);
  });

  it('also in the session of a would-be replica, in which no other trigger fires', async () => {
    const entries = await recordedBy(() =>
      psql.query(`
        SET LOCAL session_replication_role = replica;
        UPDATE app_user SET password_hash = 'stolen' WHERE username = 'victim';
        UPDATE contribution SET amount = amount + 1, fund_id = fund_id WHERE id = ${closed.contributionId};
        UPDATE bundle SET status = 1, closed_at = NULL, closed_by = NULL WHERE id = ${closed.bundleId}`),
    );
    const bundle = { action: 'database.bundle-change', subject: `bundle ${closed.bundleId}` };
    expect(entries).toMatchObject([
      {
        ...bundle,
        details: {
          table: 'contribution',
          operation: 'UPDATE',
          contributionId: closed.contributionId,
          columns: ['amount'],
        },
      },
      { action: 'database.user-change', subject: 'user victim' },
      { ...bundle, details: { table: 'bundle', operation: 'UPDATE', columns: ['closed_at', 'closed_by', 'status'] } },
    ]);
  });

  it('for each table that was emptied', async () => {
    const entries = await recordedBy(async () => {
      await psql.query('BEGIN');
      await psql.query('CREATE TEMPORARY TABLE kept ON COMMIT DROP AS TABLE app_user_role');
      await psql.query('TRUNCATE app_user_role');
      await psql.query('SET LOCAL session_replication_role = replica');
      await psql.query('ALTER TABLE app_user_role DISABLE TRIGGER app_user_role_change_recorded');
      await psql.query('INSERT INTO app_user_role TABLE kept');
      await psql.query('ALTER TABLE app_user_role ENABLE ALWAYS TRIGGER app_user_role_change_recorded');
      await psql.query('COMMIT');
    });
    expect(entries).toMatchObject([
      { action: 'database.user-change', subject: 'users', details: { table: 'app_user_role', operation: 'TRUNCATE' } },
    ]);
  });

  it('for a bundle that is closed without the service', async () => {
    const open = await readBack(service, (await addedGift(service, { BundleTypeId: 2 })).ContributionId);
    const entries = await recordedBy(() =>
      psql.query('UPDATE bundle SET status = 0, closed_at = now() WHERE id = $1', [open.bundleId]),
    );
    expect(entries).toMatchObject([
      { subject: `bundle ${open.bundleId}`, details: { operation: 'UPDATE', columns: ['closed_at', 'status'] } },
    ]);
  });

  it('and none for what changes nothing, or is rolled back', async () => {
    const entries = await recordedBy(async () => {
      await psql.query('UPDATE app_user SET email = email, password_hash = password_hash');
      await psql.query(`BEGIN; UPDATE app_user SET email = NULL; ROLLBACK`);
    });
    expect(entries).toEqual([]);
  });
});

describe('what the service changes has its own entry, and no second one', () => {
  it('for users, roles, passwords and addresses', async () => {
    const users = service.app.get(UserAccounts);
    const entries = await recordedBy(async () => {
      const username = 'new user';
      const email = 'new@example.org';
      await users.create({ username, password: 'some long password', roles: ['Developer', 'Finance'], email });
      await users.setPassword({ username, password: 'another long password' });
      await users.setEmail({ username, email: 'newer@example.org' });
      await users.setEmail({ username, email: undefined });
      await users.setActive({ username, active: false });
      await users.setActive({ username, active: true });
      await users.grant({ username, roles: ['APIOnly', 'APIWrite'] });
      await users.revoke({ username, roles: ['Finance', 'APIOnly'] });
    });
    expect(entries.map(({ action, via }) => [action, via])).toEqual(
      ['create', 'set-password', 'set-email', 'set-email', 'disable', 'enable', 'grant', 'revoke'].map((verb) => [
        `user.${verb}`,
        'service',
      ]),
    );
  });

  it('for tokens that are created, used and revoked', async () => {
    const tokens = service.app.get(Tokens);
    const entries = await recordedBy(async () => {
      const { id, token } = await tokens.create('api');
      await service.add({}, ['api', token]).expect(200);
      await until(async () => (await tokens.list('api'))[0]?.lastUsedAt !== null);
      await tokens.revoke(id);
    });
    expect(entries.map(({ action }) => action)).toEqual(['token.create', 'token.revoke']);
  });

  it('for a bundle that is closed', async () => {
    const { bundleId } = await readBack(service, (await addedGift(service, { BundleTypeId: 3 })).ContributionId);
    const entries = await recordedBy(() =>
      service
        .http()
        .post(`/Api/Bundles/${bundleId}/close`)
        .auth(...finance)
        .expect(200),
    );
    expect(entries).toMatchObject([{ actor: 'treasurer', via: 'api', action: 'bundle.close' }]);
  });

  it('for gifts and reversals, which have none of these triggers to wait for', async () => {
    const entries = await recordedBy(async () => {
      const { ContributionId } = await addedGift(service, {});
      await service.reverse(`${ContributionId}/test`).expect(200);
    });
    expect(entries).toMatchObject([{ via: 'api', action: 'contribution.reverse' }]);
  });
});

describe('in an installation with two roles, the database', () => {
  beforeAll(async () => {
    roles = await makeRoles(service.database);
    await migrateDatabase(
      { url: roles.ownerUrl },
      { service: { connection: { url: roles.serviceUrl }, entities: ENTITIES } },
    );
  });
  // Roles can only be dropped after the database that has them as owners.
  afterAll(async () => {
    await service.database.query(`REASSIGN OWNED BY ${new URL(roles.ownerUrl).username} TO CURRENT_USER`);
    await service.database.query(
      `DROP OWNED BY ${new URL(roles.ownerUrl).username}, ${new URL(roles.serviceUrl).username}`,
    );
    await roles.drop();
  });

  const asRole = async (url: string, statement: string): Promise<RecordedEntry[]> => {
    const client = new Client({ connectionString: url, application_name: 'offertory' });
    await client.connect();
    try {
      return await recordedBy(() => client.query(statement));
    } finally {
      await client.end();
    }
  };

  it('leaves an entry when the owner changes a hash or grants a role without recording it', async () => {
    const entries = await asRole(
      roles.ownerUrl,
      `UPDATE app_user SET password_hash = 'another hash' WHERE username = 'victim';
       INSERT INTO app_user_role (user_id, role_id) SELECT id, ${FINANCE_ROLE} FROM app_user WHERE username = 'api'`,
    );
    const actor = `database: ${new URL(roles.ownerUrl).username}`;
    expect(entries).toMatchObject([
      { actor, via: 'database', action: 'database.user-change', details: { columns: ['password_hash'] } },
      { actor, subject: 'user api', details: { application: 'offertory', role: 'Finance' } },
    ]);
  });

  it('is not silenced by a setting, nor by an entry of another action or subject', async () => {
    const entries = await asRole(
      roles.ownerUrl,
      `SET LOCAL offertory.audit_announced = 'yes';
       INSERT INTO audit_entry (actor, via, action, subject) VALUES
         ('api', 'api', 'user.set-email', 'user api'), ('api', 'api', 'user.set-password', 'user treasurer');
       UPDATE app_user SET password_hash = 'stolen again' WHERE username = 'api'`,
    );
    expect(entries.map(({ via, action }) => [via, action])).toEqual([
      ['api', 'user.set-email'],
      ['api', 'user.set-password'],
      ['database', 'database.user-change'],
    ]);
  });

  it('lets the service’s role neither add, change nor delete seals', async () => {
    for (const statement of [
      'INSERT INTO audit_seal SELECT * FROM audit_seal',
      'UPDATE audit_seal SET number = 7',
      'DELETE FROM audit_seal',
      'TRUNCATE audit_seal',
    ])
      await expect(asRole(roles.serviceUrl, statement)).rejects.toMatchObject({ code: '42501' });
  });
});
