import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Pool } from 'pg';
import { readProcessId } from '../../src/embedded-postgres/cluster/postmaster-file.js';
import { assertLedgerInvariants, type Ledger } from '../support/ledger-invariants.js';
import { Load } from '../support/load.js';
import { createApiUser, type ServiceProcess, startServiceProcess } from '../support/service-process.js';
import { printFigures } from '../support/tally.js';
import type { Login } from '../support/test-app.js';
import { until } from '../support/until.js';

const LOGIN: Login = ['api', 'the server comes back by itself'];
/** The longest time for an answer that callers are promised, in milliseconds. */
const ANSWER_LIMIT = 7_000;
/** The time to stop, notice, restart and recover the server on a busy machine, in milliseconds. */
const RECOVERY_LIMIT = 20_000;

let dataDir: string;
let service: ServiceProcess;
let pool: Pool;
let ledger: Ledger;

const serverId = (): number => readProcessId(join(dataDir, 'database')) ?? NaN;

beforeAll(async () => {
  dataDir = join(mkdtempSync(join(tmpdir(), 'offertory-signals-')), 'data');
  chmodSync(dirname(dataDir), 0o755);
  await createApiUser({ DATA_DIR: dataDir }, LOGIN[1]);
  service = await startServiceProcess({ DATA_DIR: dataDir });
  pool = new Pool({ host: join(dataDir, 'run'), user: 'postgres', database: 'offertory', max: 1 });
  pool.on('error', () => undefined);
  ledger = {
    query: async <Row>(text: string, values: readonly unknown[] = []) =>
      (await pool.query(text, [...values])).rows as Row[],
  };
});
afterAll(async () => {
  await pool.end();
  expect(await service.end('SIGTERM')).toBe(0);
  expect(service.output()).not.toContain('internal_error');
  rmSync(dirname(dataDir), { recursive: true, force: true });
});

describe('a signal to the embedded PostgreSQL while gifts are recorded', () => {
  it.each(['SIGTERM', 'SIGINT', 'SIGQUIT', 'SIGKILL'] as const)(
    '%s: the service restarts it, callers get 200 or 503, and every gift is recorded once',
    async (signal) => {
      const load = new Load({ name: signal.toLowerCase(), login: LOGIN, urls: [service.url], clients: 8 });
      try {
        // An idle connection keeps a server alive after SIGTERM.
        await pool.query('SELECT 1');
        await load.succeed(50);
        const before = serverId();
        const begin = performance.now();
        process.kill(before, signal);
        await until(() => ![before, NaN].includes(serverId()), RECOVERY_LIMIT);
        await load.recover(RECOVERY_LIMIT);
        const away = (performance.now() - begin) / 1_000;
        await load.succeed(50);
        await load.stop();
        printFigures(`${signal} to the embedded server`, load.tally, `all served again after ${away.toFixed(2)} s`);
        expect([...load.tally.seen.keys()].sort()).toEqual(['200', '503 database_unavailable']);
        expect(load.tally.retryAfterMissing).toBe(0);
        expect(load.tally.slowest).toBeLessThan(ANSWER_LIMIT);
        await load.assertBooked(ledger);
        await assertLedgerInvariants(ledger);
        expect((await fetch(`${service.url}/health/ready`)).status).toBe(200);
      } finally {
        await load.stop();
      }
    },
  );
});
