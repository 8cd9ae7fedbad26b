import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '../support/client.js';
import { type PrivatePostgres, startPrivatePostgres } from '../support/private-postgres.js';
import { createApiUser, type ServiceProcess, startServiceProcess } from '../support/service-process.js';
import { gift } from '../support/test-app.js';
import { until } from '../support/until.js';

const PASSWORD = 'the database will be back';

let postgres: PrivatePostgres;
let service: ServiceProcess;

beforeAll(async () => {
  postgres = await startPrivatePostgres();
  const variables = { DATABASE_URL: postgres.url };
  await createApiUser(variables, PASSWORD);
  service = await startServiceProcess(variables);
}, 60_000);
afterAll(async () => {
  expect(await service.end('SIGTERM')).toBe(0);
  postgres.destroy();
});

interface Tally {
  readonly statuses: Map<number, number>;
  slowest: number;
  retryAfterMissing: number;
}

/** Calls one after the other from several clients until told to stop; a reversal after every other gift. */
async function callUntil(stopped: () => boolean, tally: Tally): Promise<void> {
  const one = async (client: number): Promise<void> => {
    const processor = new Client(service.url, 'api', PASSWORD);
    for (let i = 0; !stopped(); i++) {
      const added = await processor.add(gift(`o${client}`));
      const answers = [added];
      if (added.status === 200 && i % 2 === 0)
        answers.push(await processor.reverse(Number(added.body['ContributionId'])));
      for (const { status, headers, milliseconds } of answers) {
        tally.statuses.set(status, (tally.statuses.get(status) ?? 0) + 1);
        tally.slowest = Math.max(tally.slowest, milliseconds);
        if (status === 503 && !/^\d+$/.test(headers.get('retry-after') ?? '')) tally.retryAfterMissing++;
      }
    }
  };
  await Promise.all(Array.from({ length: 8 }, (_, client) => one(client)));
}

describe.each(['fast', 'immediate'] as const)('PostgreSQL restarted under load (stop mode %s)', (mode) => {
  it('callers get 503 with Retry-After meanwhile, never 500, and the service recovers by itself', async () => {
    const tally: Tally = { statuses: new Map(), slowest: 0, retryAfterMissing: 0 };
    const count = (status: number): number => tally.statuses.get(status) ?? 0;
    let stopped = false;
    const load = callUntil(() => stopped, tally);
    await until(() => count(200) > 50);

    postgres.stop(mode);
    await until(() => count(503) > 50);
    postgres.start();

    const before = count(200);
    await until(() => count(200) > before + 50, 5_000);
    stopped = true;
    await load;

    expect([...tally.statuses.keys()].sort()).toEqual([200, 503]);
    expect(tally.retryAfterMissing).toBe(0);
    expect(tally.slowest).toBeLessThan(7_000);
    expect((await fetch(`${service.url}/health/ready`)).status).toBe(200);
  }, 60_000);
});

describe('a database that is down', () => {
  it('makes readiness 503 and leaves liveness alone', async () => {
    postgres.stop('fast');
    try {
      expect((await fetch(`${service.url}/health/ready`)).status).toBe(503);
      expect((await fetch(`${service.url}/health/live`)).status).toBe(200);
    } finally {
      postgres.start();
    }
    await until(async () => (await fetch(`${service.url}/health/ready`)).status === 200, 5_000);
  });
});
