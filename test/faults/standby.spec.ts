import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { isDatabaseUnavailable, spoilsConnection } from '../../src/database/errors/sqlstate.js';
import { Client } from '../support/client.js';
import { type DatabaseProxy, openDatabaseProxy } from '../support/database-proxy.js';
import { assertLedgerInvariants } from '../support/ledger-invariants.js';
import { Load } from '../support/load.js';
import { findPostgresPrograms } from '../support/postgres-programs.js';
import { type PrivatePostgres, startPrivatePostgres } from '../support/private-postgres.js';
import { untilReadiness } from '../support/readiness.js';
import { createApiUser, type ServiceProcess, startServiceProcess } from '../support/service-process.js';
import { type Standby, startStandby } from '../support/standby.js';
import { printFigures } from '../support/tally.js';
import { gift, type Login } from '../support/test-app.js';
import { until } from '../support/until.js';

const LOGIN: Login = ['api', 'a standby takes no gifts'];

/** Statements of every kind that a server in recovery refuses. */
const REFUSED_IN_RECOVERY = [
  "INSERT INTO fund (name) VALUES ('Roof')",
  "UPDATE fund SET name = 'Roof'",
  'SELECT FROM person FOR UPDATE',
  'SELECT FROM person FOR KEY SHARE',
  "SELECT nextval('contribution_id_seq')",
  "SELECT setval('contribution_id_seq', 7)",
  "SELECT next_id('contribution_id_seq')",
  'SELECT ensure_books_epoch()',
  'SELECT FROM verified_login',
  'LOCK TABLE fund IN SHARE ROW EXCLUSIVE MODE',
  'CREATE TEMPORARY TABLE t ()',
  'TRUNCATE job',
  'NOTIFY jobs',
  'SELECT pg_current_wal_lsn()',
  'SELECT pg_current_xact_id()',
  "SELECT pg_logical_emit_message(true, 'offertory', '')",
  "SELECT pg_logical_emit_message(false, 'offertory', '')",
] as const;

const programs = findPostgresPrograms();

(programs === undefined ? describe.skip : describe)('a standby (skipped only without pg_basebackup)', () => {
  let postgres: PrivatePostgres;
  let standby: Standby;
  let proxy: DatabaseProxy;
  let service: ServiceProcess;
  beforeAll(async () => {
    postgres = await startPrivatePostgres(programs);
    proxy = await openDatabaseProxy(postgres.url);
    await createApiUser({ DATABASE_URL: proxy.url }, LOGIN[1]);
    // First: it blocks this process, and so the proxy in it.
    standby = await startStandby(postgres);
    service = await startServiceProcess({ DATABASE_URL: proxy.url });
  }, 240_000);
  afterAll(async () => {
    expect(await service.end('SIGTERM')).toBe(0);
    expect(service.output()).not.toContain('internal_error');
    await proxy.close();
    standby.destroy();
    postgres.destroy();
  });
  afterEach(async () => assertLedgerInvariants(postgres));

  it('makes each call fail with 503 and readiness fail, until the primary is back', async () => {
    const right = new Client(service.url, ...LOGIN);
    const wrong = new Client(service.url, 'api', 'a wrong guess');
    const first = await right.add(gift('before'));
    expect(first.status).toBe(200);
    const id = Number(first.body['ContributionId']);
    await until(async () => (await standby.query('SELECT FROM contribution WHERE id = $1', [id])).length === 1);
    proxy.switchTo(standby.url);
    await untilReadiness(service.url, 503);
    const calls = [
      () => right.add(gift('standby'), 'standby'),
      () => right.reverse(id),
      () => right.read(id),
      () => right.request('/Api/Contributions?after=0', {}),
      () => wrong.add(gift('standby')),
      () => wrong.read(id),
      () => new Client(service.url, 'nobody', 'a wrong guess').read(id),
    ];
    for (const call of [...calls, ...calls]) {
      const { status, body, headers } = await call();
      expect({ status, code: body['code'] }).toEqual({ status: 503, code: 'database_unavailable' });
      expect(headers.get('retry-after')).toBe('5');
    }
    proxy.switchTo(postgres.url);
    await untilReadiness(service.url, 200);
    expect(await right.add(gift('standby'), 'standby')).toMatchObject({ status: 200 });
    expect((await wrong.read(id)).status).toBe(401);
  });

  it.each(REFUSED_IN_RECOVERY)(
    'refuses "%s" with an error that means 503 and ends the connection',
    async (statement) => {
      const error = await standby.query(statement).then(
        () => undefined,
        (refusal: unknown) => refusal,
      );
      expect({ error, is503: isDatabaseUnavailable(error), endsIt: spoilsConnection(error) }).toEqual({
        error: expect.any(Error),
        is503: true,
        endsIt: true,
      });
    },
  );

  it('serves gifts once it is promoted, and callers get only 200 and 503', async () => {
    // Only gifts that the standby has are acknowledged.
    await postgres.set({ synchronous_standby_names: '*' });
    const load = new Load({ name: 'promoted', login: LOGIN, urls: [service.url], clients: 8 });
    try {
      await load.succeed(60);
      postgres.stop('immediate');
      proxy.switchTo(standby.url);
      await until(() => load.tally.count(503) > 16);
      await untilReadiness(service.url, 503);
      standby.promote();
      await untilReadiness(service.url, 200);
      const recovery = await load.recover(15_000);
      await load.stop();
      printFigures('failover to a standby', load.tally, `back after ${(recovery / 1_000).toFixed(2)} s`);
      expect([...load.tally.seen.keys()].sort()).toEqual(['200', '503 database_unavailable']);
      await load.assertBooked(standby);
      await assertLedgerInvariants(standby);
    } finally {
      await load.stop();
      postgres.start();
    }
  });
});
