import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { JobQueue } from '../../src/jobs/index.js';
import { Metrics } from '../../src/metrics/index.js';
import { QUICK_PACE } from '../support/job-pace.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { until } from '../support/until.js';

describe('a periodic job', () => {
  let database: TestDatabase;
  const queues: JobQueue[] = [];

  beforeEach(async () => {
    database = await createTestDatabase();
  });
  afterEach(async () => {
    await Promise.all(queues.splice(0).map((queue) => queue.stop()));
    await database.drop();
  });

  function startEvery(seconds: number, work: () => Promise<unknown>): void {
    const queue = new JobQueue(database.connection, new Metrics(), QUICK_PACE);
    queues.push(queue);
    queue.handleEvery(seconds, 'tidy', async () => {
      await work();
    });
    queue.startWorking();
  }
  const waiting = (): Promise<object[]> =>
    database.query(
      `SELECT every_seconds, attempts, round(extract(epoch FROM due_at - now()))::integer AS wait FROM job
       WHERE queue = 'tidy' AND leased_until IS NULL`,
    );

  it('is run by one of several processes, and again after its period', async () => {
    let times = 0;
    for (let i = 0; i < 3; i++) startEvery(3_600, () => Promise.resolve(times++));
    await until(() => times > 0);
    await sleep(500);
    expect(times).toBe(1);
    expect(await waiting()).toEqual([{ every_seconds: 3_600, attempts: 0, wait: expect.closeTo(3_600, -1) }]);
    await database.query(`UPDATE job SET due_at = now() WHERE queue = 'tidy'`);
    await until(() => times === 2);
    await sleep(200);
    expect(times).toBe(2);
  });

  it('is retried when its handler throws', async () => {
    let times = 0;
    startEvery(3_600, () => (++times === 1 ? Promise.reject(new Error('not now')) : Promise.resolve()));
    await until(() => times === 2);
    await until(async () => (await waiting()).length === 1);
    expect(await waiting()).toMatchObject([{ attempts: 0, wait: expect.closeTo(3_600, -1) }]);
  });

  it('has the period of the program that was started last', async () => {
    startEvery(3_600, () => Promise.resolve());
    await until(async () => (await waiting()).length === 1);
    startEvery(60, () => Promise.resolve());
    await until(async () => ((await waiting()) as { every_seconds: number }[])[0]?.every_seconds === 60);
  });

  it('keeps its one row when another job is queued in the same queue', async () => {
    let times = 0;
    startEvery(3_600, () => Promise.resolve(times++));
    await until(() => times === 1);
    await database.query(`INSERT INTO job (queue) VALUES ('tidy')`);
    await until(() => times === 2);
    await until(async () => (await waiting()).length === 1);
  });
});
