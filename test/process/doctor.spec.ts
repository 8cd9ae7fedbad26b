import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { migrateDatabase } from '../../src/database/index.js';
import { ENTITIES } from '../../src/parts.js';
import { type DatabaseRoles, makeRoles } from '../support/database-roles.js';
import { type MailServer, refusal, startMailServer } from '../support/mail-server.js';
import { type Outcome, runProgram, startServiceProcess } from '../support/service-process.js';
import { gift, startTestApp, type TestApp } from '../support/test-app.js';
import { createTestDatabase } from '../support/test-database.js';
import { until } from '../support/until.js';

let service: TestApp;
let roles: DatabaseRoles;
let mails: MailServer;
/** The settings of a sound installation. */
let sound: Record<string, string>;

beforeAll(async () => {
  service = await startTestApp();
  await service.add(gift('doctor')).expect(200);
  roles = await makeRoles(service.database);
  await migrateDatabase(
    { url: roles.ownerUrl },
    { service: { connection: { url: roles.serviceUrl }, entities: ENTITIES } },
  );
  mails = await startMailServer({
    authOptional: false,
    authMethods: ['PLAIN'],
    onAuth: ({ username, password }, _session, done) => {
      if (username === 'church' && password === 's:cret') done(null, { user: username });
      else done(refusal(535, 'Wrong password'));
    },
  });
  // The tests' databases are copies of one that was migrated before, perhaps minutes ago. No service runs that would seal.
  await service.database.query(`
    ALTER TABLE audit_entry DISABLE TRIGGER audit_entry_append_only;
    DELETE FROM audit_entry;
    ALTER TABLE audit_entry ENABLE ALWAYS TRIGGER audit_entry_append_only`);
  sound = {
    DATABASE_URL: roles.serviceUrl,
    SMTP_URL: withLogin('s%3Acret'),
    MAIL_FROM: 'Grace Church <giving@example.org>',
    FINANCE_EMAILS: 'office@example.org',
    CHURCH_TIME_ZONE: 'America/Chicago',
  };
});
afterAll(async () => {
  await service.stop();
  await roles.drop();
  await mails.stop();
});
/** Repair what a test has broken. */
const repairs: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const repair of repairs.splice(0)) await repair();
});

/** The test's mail server has no TLS. */
function withLogin(password: string): string {
  return `${mails.url.replace('//', `//church:${password}@`)}?ignoreTLS=true`;
}

const doctor = (changes: Record<string, string> = {}, ...args: string[]): Promise<Outcome> =>
  runProgram('cli', ['doctor', ...args], { ...sound, ...changes });

interface Finding {
  readonly check: string;
  readonly result: string;
  readonly found: string;
  readonly advice?: string;
}

/** The exit code and the findings that are not ok. */
async function complaints(changes: Record<string, string>): Promise<{ code: number | null; findings: Finding[] }> {
  const { code, stdout } = await doctor(changes, '--json');
  return { code, findings: (JSON.parse(stdout) as Finding[]).filter(({ result }) => result !== 'ok') };
}

it('doctor finds no fault in a sound installation, and lists its checks', async () => {
  const { code, stdout, stderr } = await doctor();
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(
    stdout
      .trim()
      .split('\n')
      .map((line) => line.slice(0, 27).trim()),
  ).toEqual([
    ...['ok       configuration', 'ok       database', 'ok       durability', 'ok       collation'],
    ...['ok       ids', 'ok       rights', 'ok       time zone'],
    ...['ok       processors', 'ok       default fund', 'ok       clock', 'ok       deposits', 'ok       mail server'],
    ...[
      'ok       mail sender',
      'ok       Finance recipients',
      'ok       notices',
      'ok       webhooks',
      'ok       audit trail',
      'ok       tokens',
      'ok       TLS',
      '',
      '0 faults, 0 warnings',
    ],
  ]);
  // It only connects to the mail server and sends no mail.
  expect(mails.mails).toEqual([]);
});

it.each<[string, Record<string, string>, string, string, RegExp, RegExp]>([
  ['a wrong password of the mail server', { SMTP_URL: 'wrong' }, 'mail server', 'fault', /Wrong password/, /SMTP_URL/],
  [
    'an unreachable mail server',
    { SMTP_URL: 'smtp://127.0.0.1:1' },
    'mail server',
    'fault',
    /ECONNREFUSED/,
    /SMTP_URL/,
  ],
  ['a sender at localhost', { MAIL_FROM: '' }, 'mail sender', 'fault', /offertory@localhost.*refuse/, /MAIL_FROM/],
  [
    'a sender at localhost.localdomain',
    { MAIL_FROM: 'A <a@Localhost.localdomain>' },
    'mail sender',
    'fault',
    /a@/,
    /MAIL_FROM/,
  ],
  ['no mail server', { SMTP_URL: '' }, 'mail server', 'warning', /written to a file/, /Set SMTP_URL/],
  [
    'no recipient of notices',
    { FINANCE_EMAILS: '' },
    'Finance recipients',
    'fault',
    /no one is notified/,
    /user create treasurer/,
  ],
  ['no time zone', { CHURCH_TIME_ZONE: '' }, 'time zone', 'warning', /^UTC/, /CHURCH_TIME_ZONE/],
  ['no TLS', { HOST: '0.0.0.0' }, 'TLS', 'warning', /who can reach 0\.0\.0\.0/, /127\.0\.0\.1 only.*TRUST_PROXY/],
  ['a domain without an address', { CHURCH_DOMAIN: 'nowhere.invalid' }, 'TLS', 'warning', /nowhere\.invalid/, /tls/],
])('doctor finds %s, and says what to do', async (_what, changes, check, result, found, advice) => {
  const SMTP_URL = changes['SMTP_URL'] === 'wrong' ? withLogin('wrong') : changes['SMTP_URL'];
  const outcome = await complaints({ ...changes, ...(SMTP_URL !== undefined && { SMTP_URL }) });
  expect(outcome).toEqual({
    code: result === 'fault' ? 1 : 0,
    findings: [{ check, result, found: expect.stringMatching(found), advice: expect.stringMatching(advice) }],
  });
});

it.each([
  [
    'a closed default fund',
    'default fund',
    'warning',
    'UPDATE fund SET is_open = false',
    'UPDATE fund SET is_open = true',
  ],
  [
    'no default fund',
    'default fund',
    'fault',
    'UPDATE fund SET is_default = false',
    'UPDATE fund SET is_default = true WHERE id = 1',
  ],
  [
    'no user who may send gifts',
    'processors',
    'warning',
    'UPDATE app_user SET active = false',
    'UPDATE app_user SET active = true',
  ],
  [
    'a token that is in use and expires soon',
    'tokens',
    'warning',
    `INSERT INTO api_token (user_id, digest, scopes, expires_at, last_used_at)
     SELECT id, sha256('a token'), '{add}', now() + interval '13 days', now() - interval '6 days' FROM app_user LIMIT 1`,
    'DELETE FROM api_token',
  ],
  [
    'a clock that was set back',
    'clock',
    'fault',
    `UPDATE contribution SET created_at = created_at + interval '1 hour'`,
    `UPDATE contribution SET created_at = created_at - interval '1 hour'`,
  ],
])('doctor finds %s', async (_what, check, result, damage, repair) => {
  repairs.push(() => service.database.query(repair));
  await service.database.query(damage);
  const { code, findings } = await complaints({});
  expect(findings).toMatchObject([{ check, result, advice: expect.any(String) }]);
  expect(code).toBe(result === 'fault' ? 1 : 0);
});

it.each([
  ['a role that may create roles', 'ALTER ROLE :role CREATEROLE', 'ALTER ROLE :role NOCREATEROLE', 'may create roles'],
  ['a role that is a superuser', 'ALTER ROLE :role SUPERUSER', 'ALTER ROLE :role NOSUPERUSER', 'is a superuser'],
  [
    'a role that may run programs',
    'GRANT pg_execute_server_program TO :role',
    'REVOKE pg_execute_server_program FROM :role',
    'is a member of pg_execute_server_program',
  ],
  [
    'a role that may change users and the audit trail',
    'GRANT INSERT ON app_user_role TO :role; GRANT UPDATE (email) ON app_user TO :role; GRANT DELETE ON audit_entry TO :role',
    'REVOKE INSERT ON app_user_role FROM :role; REVOKE UPDATE (email) ON app_user FROM :role; REVOKE DELETE ON audit_entry FROM :role',
    /has UPDATE \(email\) on app_user, has INSERT on app_user_role, has DELETE on audit_entry$/,
  ],
  [
    'a role that may change tokens, seals and gifts',
    'GRANT UPDATE (scopes, last_used_at) ON api_token TO :role; GRANT INSERT, TRIGGER ON audit_seal TO :role; GRANT UPDATE ON contribution TO :role',
    'REVOKE UPDATE (scopes) ON api_token FROM :role; REVOKE INSERT, TRIGGER ON audit_seal FROM :role; REVOKE UPDATE ON contribution FROM :role; GRANT UPDATE (status, person_id) ON contribution TO :role',
    /has UPDATE \(scopes\) on api_token, has INSERT on audit_seal, has TRIGGER on audit_seal, has UPDATE on contribution$/,
  ],
  [
    'a database in which every role may create temporary tables',
    'GRANT TEMPORARY ON DATABASE :database TO PUBLIC',
    'REVOKE TEMPORARY ON DATABASE :database FROM PUBLIC',
    'may create temporary tables',
  ],
  [
    'a role that may create schemas and tables',
    'GRANT CREATE ON SCHEMA public TO :role; GRANT :owner TO :role',
    'REVOKE CREATE ON SCHEMA public FROM :role; REVOKE :owner FROM :role',
    /owns tables, is a member of .*_owner_.*, may create schemas, .*may create tables/,
  ],
])('doctor finds %s', async (_what, damage, repair, excess) => {
  const [role, owner] = [new URL(roles.serviceUrl).username, new URL(roles.ownerUrl).username];
  const databaseName = new URL(service.database.url).pathname.slice(1);
  const change = (sql: string): Promise<unknown> =>
    service.database.query(
      sql.replaceAll(':role', role).replaceAll(':owner', owner).replaceAll(':database', databaseName),
    );
  repairs.push(() => change(repair));
  await change(damage);
  const { code, findings } = await complaints({});
  expect(findings).toEqual([
    { check: 'rights', result: 'warning', found: expect.any(String), advice: expect.stringContaining('operating.md') },
  ]);
  expect(findings[0]?.found).toMatch(excess);
  expect(code).toBe(0);
});

it('doctor finds an installation of one role for everything, which still starts and logs a warning', async () => {
  const { code, findings } = await complaints({ DATABASE_URL: service.database.url });
  expect(findings).toMatchObject([
    { check: 'rights', result: 'warning', found: expect.stringMatching(/is a superuser$/) },
  ]);
  expect(code).toBe(0);
  const running = await startServiceProcess({ ...sound, DATABASE_URL: service.database.url });
  await until(() => running.output().includes('The installation needs attention (rights): the role'));
  expect(await running.end('SIGTERM')).toBe(0);
});

it('doctor finds a database that would lose gifts in a power cut', async () => {
  const set = (value: string): Promise<unknown> =>
    service.database.query(
      `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET synchronous_commit = ${value}', current_database()); END $$`,
    );
  repairs.push(() => set('on'));
  await set('off');
  expect((await complaints({})).findings).toMatchObject([{ check: 'durability', found: 'off: synchronous_commit' }]);
});

it('doctor finds a database that is not migrated, and an invalid configuration', async () => {
  const database = await createTestDatabase({ empty: true });
  repairs.push(() => database.drop());
  await runProgram('cli', ['database', 'migrate'], { DATABASE_URL: database.url });
  await database.query('DELETE FROM migrations WHERE id = (SELECT max(id) FROM migrations)');
  const old = await doctor({ DATABASE_URL: database.url });
  expect(old).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/FAULT +database +.*offertory database migrate/),
  });
  expect(old.stdout).not.toContain('Is it running');
  const bad = await doctor({ PORT: 'abc', CHURCH_TIME_ZONE: 'Mars' });
  expect(bad).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/FAULT +configuration[^]*PORT[^]*CHURCH_TIME_ZONE/),
  });
});
