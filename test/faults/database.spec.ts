import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Client as Connection } from 'pg';
import { assertLedgerInvariants } from '../support/ledger-invariants.js';
import { Load } from '../support/load.js';
import { type PrivatePostgres, startPrivatePostgres } from '../support/private-postgres.js';
import { createApiUser, type ServiceProcess, startServiceProcess } from '../support/service-process.js';
import { printFigures } from '../support/tally.js';
import type { Login } from '../support/test-app.js';
import { until } from '../support/until.js';
import { EXTENT } from './extent.js';

const LOGIN: Login = ['api', 'the database will be back'];
/** The longest time for an answer that callers are promised, in milliseconds. */
const ANSWER_LIMIT = 7_000;
const RECOVERY_LIMIT = 5_000;

let postgres: PrivatePostgres;
let service: ServiceProcess;
beforeAll(async () => {
  postgres = await startPrivatePostgres();
  const variables = { DATABASE_URL: postgres.url };
  await createApiUser(variables, LOGIN[1]);
  service = await startServiceProcess(variables);
}, 60_000);
afterAll(async () => {
  expect(await service.end('SIGTERM')).toBe(0);
  expect(service.output()).not.toContain('internal_error');
  postgres.destroy();
});
afterEach(() => assertLedgerInvariants(postgres));

let loads = 0;

/** Makes calls during and after the fault, and checks their answers and the books. */
async function underLoad(scenario: string, fault: (load: Load) => Promise<void>): Promise<void> {
  const load = new Load({ name: `fault${++loads}x`, login: LOGIN, urls: [service.url], clients: 16 });
  try {
    await load.succeed(100);
    await fault(load);
    const recovery = await load.recover(RECOVERY_LIMIT);
    await load.succeed(50);
    await load.stop();
    printFigures(scenario, load.tally, `back after ${(recovery / 1_000).toFixed(2)} s`);
    expect([...load.tally.seen.keys()].sort()).toEqual(['200', '503 database_unavailable']);
    expect(load.tally.retryAfterMissing).toBe(0);
    expect(load.tally.slowest).toBeLessThan(ANSWER_LIMIT);
    await load.assertBooked(postgres);
    // The answer of readiness may be a second old.
    await until(async () => (await fetch(`${service.url}/health/ready`)).status === 200, 2_000);
  } finally {
    await load.stop();
  }
}

/** Waits until callers get 503, and then for this time. */
async function refused(load: Load, milliseconds: number): Promise<void> {
  const before = load.tally.count(503);
  await until(() => load.tally.count(503) > before + 16, ANSWER_LIMIT + 3_000);
  const end = Date.now() + milliseconds;
  await until(() => Date.now() > end, milliseconds + 1_000);
}

async function terminateService(share = '1.0'): Promise<void> {
  await postgres.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE application_name LIKE 'offertory%' AND random() < $1::float8`,
    [share],
  );
}

describe('callers get 200, or 503 with Retry-After, within 7 s, and every gift is recorded once', () => {
  it.each(['fast', 'immediate'] as const)('while PostgreSQL is stopped (%s) and started again', async (mode) => {
    await underLoad(`PostgreSQL restarted (${mode})`, async (load) => {
      postgres.stop(mode);
      try {
        await refused(load, 0);
      } finally {
        postgres.start();
      }
    });
  });

  it('while PostgreSQL is down for a long time', async () => {
    await underLoad(`PostgreSQL down for ${EXTENT.outage / 1_000} s`, async (load) => {
      postgres.stop('fast');
      try {
        await refused(load, EXTENT.outage);
        expect((await fetch(`${service.url}/health/ready`)).status).toBe(503);
        expect((await fetch(`${service.url}/health/live`)).status).toBe(200);
      } finally {
        postgres.start();
      }
    });
  });

  it('while PostgreSQL accepts connections and does not answer', async () => {
    await underLoad(`PostgreSQL frozen for ${EXTENT.outage / 1_000} s`, async (load) => {
      await postgres.freeze();
      try {
        await refused(load, EXTENT.outage);
      } finally {
        postgres.thaw();
      }
    });
  });

  it('while the database is read-only', async () => {
    await underLoad('PostgreSQL read-only', async (load) => {
      const reload = async (statement: string): Promise<void> => {
        await postgres.query(statement);
        await postgres.query('SELECT pg_reload_conf()');
      };
      await reload('ALTER SYSTEM SET default_transaction_read_only = on');
      try {
        await refused(load, 1_000);
      } finally {
        await reload('ALTER SYSTEM RESET default_transaction_read_only');
      }
    });
  });

  it('while other clients hold all connections', async () => {
    await underLoad('no connection left', async (load) => {
      const others: Connection[] = [];
      try {
        await takeAllConnections(others);
        await refused(load, 1_000);
      } finally {
        await Promise.all(others.map((other) => other.end()));
      }
    });
  });

  it('while sessions are terminated at random', async () => {
    await underLoad('sessions terminated at random', async (load) => {
      const before = load.tally.count(503);
      const enough = load.tally.count(200) + 300;
      while (load.tally.count(200) < enough || load.tally.count(503) < before + 20) {
        await terminateService('0.3');
        await load.succeed(20);
      }
    });
  });
});

/** Takes all connections, including those of the service. It is stopped meanwhile, or it would reconnect as quickly. */
async function takeAllConnections(others: Connection[]): Promise<void> {
  const takeOne = async (): Promise<boolean> => {
    const other = new Connection({ connectionString: postgres.url });
    other.on('error', () => undefined);
    const taken = await other.connect().then(
      () => true,
      () => false,
    );
    if (taken) others.push(other);
    return taken;
  };
  process.kill(service.pid, 'SIGSTOP');
  try {
    await terminateService();
    await until(async () => {
      while (await takeOne());
      const theirs = await others[0]?.query(`SELECT FROM pg_stat_activity WHERE application_name LIKE 'offertory%'`);
      return theirs?.rowCount === 0;
    });
  } finally {
    process.kill(service.pid, 'SIGCONT');
  }
}
