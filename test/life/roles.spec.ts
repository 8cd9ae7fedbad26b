import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client as Session } from 'pg';
import { environmentOf } from '../../scripts/container-check/compose-files.mjs';
import { Client } from '../support/client.js';
import { findPostgresPrograms } from '../support/postgres-programs.js';
import { createApiUser, runProgram, startServiceProcess } from '../support/service-process.js';
import { gift } from '../support/test-app.js';
import { until } from '../support/until.js';
import { assertSameRows, readAllRows } from './all-rows.js';
import { Machine } from './machine.js';
import { addOldGift, goOn, type OldGift, PASSWORD } from './old-gift.js';

const ROOT = new URL('../../', import.meta.url).pathname;
const YESTERDAY = { POSTGRES_PASSWORD: 'yesterday' };
const TODAY = { ...YESTERDAY, OWNER_PASSWORD: 'today1', SERVICE_PASSWORD: "to'day2" };
const programs = findPostgresPrograms() ?? '';

let machine: Machine;
let old: OldGift;

/** The environment of a compose service, with the PostgreSQL of this machine. */
function environment(service: 'api' | 'migrate' | 'roles', variables: Record<string, string>): Record<string, string> {
  const { host, hostname, port } = new URL(machine.variables['DATABASE_URL'] ?? '');
  const decided = environmentOf(service, [`${ROOT}docker-compose.yml`], variables) ?? {};
  const here = Object.entries(decided)
    .filter(([name]) => !['HOST', 'PORT', 'DATA_DIR'].includes(name))
    .map(([name, value]) => [name, encodeQuote(value.replace('@postgres:5432/', `@${host}/`))]);
  return {
    ...(Object.fromEntries(here) as Record<string, string>),
    ...(service === 'roles' && {
      PGHOST: hostname,
      PGPORT: port,
      SERVICE_PASSWORD: variables['SERVICE_PASSWORD'] ?? '',
    }),
  };
}

/** The passwords of scripts/secrets.sh have no quote. This one shows that the script escapes it. */
function encodeQuote(value: string): string {
  return value.replace("to'day", 'to%27day');
}

/** As `docker compose up` does with its two containers that end. @returns what they print. */
async function up(variables: Record<string, string>): Promise<{ roles: string; migrate: string }> {
  const { status, stdout, stderr } = spawnSync('sh', [`${ROOT}scripts/database-roles.sh`], {
    env: { PATH: `${programs}:/usr/bin:/bin`, ...environment('roles', variables) },
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const migrate = await runProgram('cli', ['database', 'migrate'], environment('migrate', variables));
  expect(migrate.code).toBe(0);
  return { roles: stdout, migrate: migrate.stdout };
}

const doctor = async (variables: Record<string, string>): Promise<string> =>
  (await runProgram('cli', ['doctor'], environment('api', variables))).stdout;

async function asService(statement: string): Promise<unknown> {
  const session = new Session({ connectionString: environment('api', TODAY)['DATABASE_URL'] });
  await session.connect();
  try {
    return await session.query(statement);
  } finally {
    await session.end();
  }
}

// Each test continues from the one before.
const needsPrograms = programs === '' ? describe.skip : describe;
needsPrograms('a compose installation from before there were roles (skipped only without psql)', () => {
  beforeAll(async () => {
    machine = await Machine.start(programs);
    await createApiUser(machine.variables, PASSWORD);
    await machine.startService();
    old = await addOldGift(machine.service);
    await machine.stopService();
  });
  afterAll(() => machine.stop());

  it('starts with its .env and its volume, and says what to do', async () => {
    const { roles, migrate } = await up(YESTERDAY);
    expect(roles).toMatch(/^WARNING: The service uses the superuser .*\n.*scripts\/secrets\.sh && docker compose up/);
    expect(migrate).toMatch(/none to grant: offertory has all rights/);
    const service = await startServiceProcess(environment('api', YESTERDAY));
    expect((await new Client(service.url, 'api', PASSWORD).add(gift('yesterday'))).status).toBe(200);
    await until(() => service.output().includes('the role offertory of the service is a superuser'));
    expect(await service.end('SIGTERM')).toBe(0);
    expect(await doctor(YESTERDAY)).toMatch(/WARNING +rights +the role offertory of the service is a superuser/);
  });

  it('is converted by its next start with the new passwords, and loses nothing', async () => {
    const before = await readAllRows(machine);
    const { roles, migrate } = await up(TODAY);
    expect(roles).toContain('has the roles offertory_owner and offertory_service');
    expect(migrate).toMatch(/granted to offertory_service/);
    assertSameRows(before, await readAllRows(machine));
    const service = await startServiceProcess(environment('api', TODAY));
    await goOn(service, old);
    expect(service.output()).not.toContain('(rights)');
    expect(await service.end('SIGTERM')).toBe(0);
    expect(await doctor(TODAY)).toMatch(/ok +rights +the role offertory_service has only those that it needs/);
    await expect(asService(`COPY (SELECT 1) TO PROGRAM 'cat >/dev/null'`)).rejects.toMatchObject({ code: '42501' });
    await expect(asService('UPDATE audit_entry SET actor = actor')).rejects.toMatchObject({ code: '42501' });
    await expect(asService('UPDATE app_user SET email = email')).rejects.toMatchObject({ code: '42501' });
    // Restored files are still detected, although the owner is no longer a superuser.
    expect(
      await asService(`SELECT identity ? 'files' AS files FROM books_epoch ORDER BY number DESC LIMIT 1`),
    ).toMatchObject({
      rows: [{ files: true }],
    });
    expect(await asService(`SELECT database_identity() ? 'files' AS files`)).toMatchObject({ rows: [{ files: true }] });
    expect(await machine.query('SELECT FROM pg_authid WHERE rolpassword LIKE $1', ['SCRAM-SHA-256$%'])).toHaveLength(2);
  });

  it('starts again and again, with commands for users in the role of the service', async () => {
    expect((await up(TODAY)).migrate).toMatch(/granted to offertory_service/);
    const created = await runProgram(
      'cli',
      ['user', 'create', 'treasurer', '--roles', 'Finance'],
      environment('api', TODAY),
    );
    expect(created.code).toBe(0);
    const [entry] = await machine.query<{ actor: string }>(
      `SELECT actor FROM audit_entry WHERE action = 'user.create' AND subject = 'user treasurer'`,
    );
    expect(entry?.actor).toMatch(/^command line: ./);
  });
});
