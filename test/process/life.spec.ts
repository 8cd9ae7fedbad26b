import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '../support/client.js';
import { holdLock } from '../support/held-lock.js';
import {
  createApiUser,
  runProgram,
  type ServiceProcess,
  startServiceProcess,
  startWithNpm,
} from '../support/service-process.js';
import { gift } from '../support/test-app.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { until } from '../support/until.js';
import { countLockWaits } from '../support/lock-waits.js';

const PASSWORD = 'start and stop in order';

describe('several replicas that start together on an empty database', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase({ empty: true });
  });
  afterAll(() => database.drop());

  it('migrate once, all become ready, and print how to create the first user', async () => {
    const replicas = await Promise.all(
      Array.from({ length: 3 }, () => startServiceProcess({ DATABASE_URL: database.url })),
    );
    try {
      const names = await database.query('SELECT name FROM migrations GROUP BY name HAVING count(*) > 1');
      expect(names).toEqual([]);
      for (const replica of replicas) {
        expect((await fetch(`${replica.url}/health/ready`)).status).toBe(200);
        await until(() => replica.output().includes('user create <username> --roles Developer,APIOnly,APIWrite'));
      }
    } finally {
      for (const replica of replicas) expect(await replica.end('SIGTERM')).toBe(0);
    }
  });
});

it('a service that cannot look for users right after its start goes on answering', async () => {
  const database = await createTestDatabase();
  const variables = { DATABASE_URL: database.url };
  await createApiUser(variables, PASSWORD);
  // What the first start of a version records, it does not look up again.
  expect((await runProgram('cli', ['database', 'migrate'], variables)).code).toBe(0);
  const lock = await holdLock(database.url, 'LOCK TABLE app_user IN ACCESS EXCLUSIVE MODE', []);
  const service = await startServiceProcess(variables);
  try {
    await until(() => service.output().includes('It is not known whether there are users'));
    await lock.release();
    expect((await new Client(service.url, 'api', PASSWORD).add(gift('start'))).status).toBe(200);
  } finally {
    expect(await service.end('SIGTERM')).toBe(0);
    await database.drop();
  }
});

describe('SIGTERM', () => {
  let database: TestDatabase;
  let service: ServiceProcess;
  beforeAll(async () => {
    database = await createTestDatabase();
    const variables = { DATABASE_URL: database.url };
    await createApiUser(variables, PASSWORD);
    service = await startServiceProcess(variables);
  });
  afterAll(async () => {
    await service.end('SIGKILL');
    await database.drop();
  });

  it('lets requests in flight finish, refuses new ones, and makes the service exit with 0 within 10 s', async () => {
    const processor = new Client(service.url, 'api', PASSWORD);
    const { body } = await processor.add(gift('sigterm'));
    const id = Number(body['ContributionId']);
    // A lock on the gift's row keeps the reversal in flight until it is released.
    const lock = await holdLock(database.url, 'SELECT FROM contribution WHERE id = $1 FOR UPDATE', [id]);
    const reversal = processor.reverse(id);
    await until(async () => (await countLockWaits(database)) > 0);

    const begin = Date.now();
    const exit = service.end('SIGTERM');
    await until(async () => (await processor.read(id)).status === 0);
    await lock.release();

    const answer = await reversal;
    expect(answer).toMatchObject({ status: 200, body: { operation: 'Reversal', contributionId: id } });
    expect(answer.headers.get('connection')).toBe('close');
    expect(await exit).toBe(0);
    expect(Date.now() - begin).toBeLessThan(10_000);
  });
});

describe('SIGTERM with DRAIN_SECONDS', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
    await createApiUser({ DATABASE_URL: database.url }, PASSWORD);
  });
  afterAll(() => database.drop());

  /** Starts a service and tells it to stop. Returns when it is not ready any more. */
  async function stoppingService(seconds: number): Promise<{ service: ServiceProcess; exit: Promise<number | null> }> {
    const service = await startServiceProcess({ DATABASE_URL: database.url, DRAIN_SECONDS: String(seconds) });
    const kept = await new Client(service.url, 'api', PASSWORD).add(gift('before'));
    expect([kept.status, kept.headers.get('connection')]).toEqual([200, 'keep-alive']);
    const exit = service.end('SIGTERM');
    const readiness = (): Promise<Response> => fetch(`${service.url}/health/ready`);
    await until(async () => (await readiness()).status === 503);
    expect(await (await readiness()).json()).toMatchObject({ code: 'service_stopping' });
    expect((await fetch(`${service.url}/health/live`)).status).toBe(200);
    return { service, exit };
  }

  it('makes readiness fail at once, and answers calls for so long, each as the last of its connection', async () => {
    const begin = performance.now();
    const { service, exit } = await stoppingService(3);
    for (let count = 0; count < 3; count++) {
      const { status, headers } = await new Client(service.url, 'api', PASSWORD).add(gift(`drained${count}`));
      expect([status, headers.get('connection')]).toEqual([200, 'close']);
    }
    expect(await exit).toBe(0);
    expect(performance.now() - begin).toBeGreaterThan(3_000);
    expect(await database.query('SELECT FROM contribution')).toHaveLength(4);
  });

  it('ends that time when it comes again', async () => {
    const { service, exit } = await stoppingService(300);
    expect((await new Client(service.url, 'api', PASSWORD).add(gift('drained'))).status).toBe(200);
    const begin = performance.now();
    expect(await service.end('SIGTERM')).toBe(0);
    expect(await exit).toBe(0);
    expect(performance.now() - begin).toBeLessThan(10_000);
  });
});

describe('npm start', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it('stops the service when npm gets SIGTERM, although its shell keeps the signal', async () => {
    const npm = startWithNpm('start:prod', { DATABASE_URL: database.url });
    const url = await npm.ready;
    npm.terminate();
    await until(async () => {
      const answer = await fetch(`${url}/health/live`).catch(() => undefined);
      return answer === undefined;
    });
  });
});
