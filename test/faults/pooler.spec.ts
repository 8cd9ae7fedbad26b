import { afterEach, describe, expect, it } from '@jest/globals';
import { Client as Connection } from 'pg';
import { openSession, poolConfig } from '../../src/database/sessions/connection.js';
import { assertLedgerInvariants } from '../support/ledger-invariants.js';
import { Load } from '../support/load.js';
import { pgbouncerIsThere, type PoolMode, startPgBouncer } from '../support/pgbouncer.js';
import { untilReadiness } from '../support/readiness.js';
import { createApiUser, runProgram, startServiceProcess } from '../support/service-process.js';
import { printFigures } from '../support/tally.js';
import type { Login } from '../support/test-app.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { EXTENT } from './extent.js';

const LOGIN: Login = ['api', 'through a pooler'];

/** Settings of PgBouncer, the most important first. */
const SETTINGS: (readonly [how: string, settings: Record<string, string>])[] = [
  ['that drops startup options', { ignore_startup_parameters: 'options,extra_float_digits,statement_timeout' }],
  ...(EXTENT.triesPoolerSettings
    ? ([
        ['with its default settings', {}],
        ['that keeps settings for the next client', { server_reset_query: '' }],
      ] as const)
    : []),
];

const ending: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end();
});

async function pooled(
  mode: PoolMode,
  settings: Record<string, string> = {},
): Promise<{ database: TestDatabase; url: string }> {
  const database = await createTestDatabase();
  ending.push(() => database.drop());
  const pooler = await startPgBouncer(database.url, mode, settings);
  ending.push(() => pooler.stop());
  return { database, url: pooler.url };
}

(pgbouncerIsThere ? describe : describe.skip)('PgBouncer (skipped only where it is not installed)', () => {
  it.each(SETTINGS)('in session mode, %s, works like PostgreSQL itself', async (_how, settings) => {
    const { database, url } = await pooled('session', settings);
    await createApiUser({ DATABASE_URL: url }, LOGIN[1]);
    const service = await startServiceProcess({ DATABASE_URL: url });
    ending.push(() => service.end('SIGTERM'));
    await untilReadiness(service.url, 200);
    const load = new Load({ name: 'pooled', login: LOGIN, urls: [service.url], clients: 8 });
    try {
      await load.succeed(60);
    } finally {
      await load.stop();
    }
    printFigures('PgBouncer in session mode', load.tally);
    expect([...load.tally.seen.keys()]).toEqual(['200']);
    await load.assertBooked(database);
    await assertLedgerInvariants(database);
    // No advisory lock is left, as that of migrations once was.
    expect(await database.query(`SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = 7236512`)).toEqual([]);
  });

  it('in session mode sets the settings and limits of each new connection', async () => {
    const { url } = await pooled('session', { ignore_startup_parameters: 'options' });
    const { onConnect, ...config } = poolConfig({ url }, 'offertory', { lock_timeout: '4000', enable_seqscan: 'off' });
    const client = new Connection(config);
    await client.connect();
    ending.push(() => client.end());
    await onConnect(client);
    const { rows } = await client.query(`
      SELECT current_setting('default_transaction_isolation') AS isolation, current_setting('search_path') AS path,
        current_setting('lock_timeout') AS lock_timeout, current_setting('enable_seqscan') AS seqscan`);
    expect(rows).toEqual([{ isolation: 'read committed', path: 'public', lock_timeout: '4s', seqscan: 'off' }]);
  });

  it.each(['transaction', 'statement'] as const)(
    'in %s mode is refused, and its sessions are left unchanged',
    async (mode) => {
      const { url } = await pooled(mode, { ignore_startup_parameters: 'options' });
      const service = await runProgram('main', [], { DATABASE_URL: url });
      expect(service.code).toBe(1);
      expect(service.stderr).toContain('pool_mode = session');
      expect(service.stderr).toContain('"Connection poolers"');
      const command = await runProgram('cli', ['user', 'list'], { DATABASE_URL: url });
      expect(command.code).toBe(1);
      expect(command.stderr).toContain('pool_mode = session');
      // Other programs find this in the shared sessions.
      const client = new Connection({ connectionString: url });
      await client.connect();
      ending.push(() => client.end());
      const { rows } = await client.query(`SELECT current_setting('search_path') AS path`);
      expect(rows).toEqual([{ path: '"$user", public' }]);
    },
  );

  it.each([
    ['uses another server process for each statement', { server_round_robin: '1' }],
    ['has several server processes ready', { min_pool_size: '5' }],
    ['has one server process', { default_pool_size: '1' }],
  ])('in transaction mode is recognised at once when it %s', async (_how, settings) => {
    const { url } = await pooled('transaction', settings);
    const begun = performance.now();
    for (let i = 0; i < 5; i++) {
      await expect(openSession({ url }, 'offertory start')).rejects.toThrow('pool_mode = session');
    }
    expect(performance.now() - begun).toBeLessThan(10_000);
  });
});
