import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { EventEmitterModule } from '@nestjs/event-emitter';
import { Test, type TestingModule } from '@nestjs/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { DatabaseModule, Transactions } from '../../src/database/index.js';
import { JOB_PACE, type JobHandler, type JobPace, JobQueue, JobsModule, SERVICE_PACE } from '../../src/jobs/index.js';
import { Metrics, MetricsModule } from '../../src/metrics/index.js';
import { QUICK_PACE } from '../support/job-pace.js';
import { keptLogger } from '../support/kept-logs.js';
import { letJobsExpire } from '../support/notices.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { until } from '../support/until.js';

const QUEUE = 'greet';

interface Greeting {
  readonly name: string;
}

/** The queue and transactions of one process, on the database of this file. */
interface Node {
  readonly queue: JobQueue;
  readonly transactions: Transactions;
}

describe('the job queue', () => {
  let database: TestDatabase;
  const modules: TestingModule[] = [];

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  beforeEach(async () => {
    await database.query('DELETE FROM job');
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await Promise.all(modules.splice(0).map((module) => module.close()));
  });
  afterAll(async () => {
    await database.drop();
  });

  async function startNode(
    handler?: JobHandler,
    { concurrency = 5, pace = QUICK_PACE }: { concurrency?: number; pace?: JobPace } = {},
  ): Promise<Node> {
    const module = await Test.createTestingModule({
      imports: [
        EventEmitterModule.forRoot(),
        MetricsModule,
        DatabaseModule.forRoot(database.connection, 5),
        JobsModule,
      ],
    })
      .overrideProvider(JOB_PACE)
      .useValue(pace)
      .setLogger(keptLogger())
      .compile();
    await module.init();
    modules.push(module);
    const queue = module.get(JobQueue);
    queue.handle(QUEUE, handler ?? (() => Promise.reject(new Error('This process has no worker'))), { concurrency });
    if (handler !== undefined) queue.startWorking();
    return { queue, transactions: module.get(Transactions) };
  }

  async function enqueue({ queue, transactions }: Node, ...names: string[]): Promise<void> {
    await transactions.run(async (tx) => {
      for (const name of names) await queue.enqueue(tx, QUEUE, { name });
    });
  }

  /** The states of unfinished jobs: finished ones are deleted. */
  async function states(): Promise<string[]> {
    const rows = await database.query<{ state: string }>(
      `SELECT CASE WHEN leased_until IS NOT NULL THEN 'active' WHEN attempts > 0 THEN 'retry' ELSE 'created' END AS state
       FROM job WHERE queue = $1`,
      [QUEUE],
    );
    return rows.map(({ state }) => state);
  }

  const allDone = async (): Promise<boolean> => (await states()).length === 0;

  async function attempts(): Promise<number> {
    const [job] = await database.query<{ attempts: number }>('SELECT attempts FROM job WHERE queue = $1', [QUEUE]);
    return job?.attempts ?? 0;
  }

  const nameOf = (data: object): string => (data as Greeting).name;

  it('stores no job when the transaction is rolled back', async () => {
    const node = await startNode();
    const failing = node.transactions.run(async (tx) => {
      await node.queue.enqueue(tx, QUEUE, { name: 'Ann' });
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    expect(await states()).toEqual([]);
  });

  it('processes a committed job once, within about two seconds', async () => {
    const seen: string[] = [];
    const handler: JobHandler = (data) => {
      seen.push(nameOf(data));
      return Promise.resolve();
    };
    const node = await startNode(handler, { pace: SERVICE_PACE });
    const committed = Date.now();
    await enqueue(node, 'Ann');
    await until(allDone);
    expect(Date.now() - committed).toBeLessThan(2_500);
    expect(seen).toEqual(['Ann']);
  });

  it('keeps a job that was queued by a process without workers', async () => {
    const seen: string[] = [];
    await enqueue(await startNode(), 'Ann');
    expect(await states()).toEqual(['created']);
    await startNode((data) => {
      seen.push(nameOf(data));
      return Promise.resolve();
    });
    await until(() => seen.length === 1);
  });

  it('refuses a queue that no module handles, where the job would be lost', async () => {
    const { queue, transactions } = await startNode();
    const enqueuing = transactions.run((tx) => queue.enqueue(tx, 'nowhere', {}));
    await expect(enqueuing).rejects.toThrow('No handler is declared for the queue "nowhere"');
  });

  it('does not start a job before its due time', async () => {
    const begun: number[] = [];
    const { queue, transactions } = await startNode(() => {
      begun.push(Date.now());
      return Promise.resolve();
    });
    const committed = Date.now();
    await transactions.run((tx) => queue.enqueue(tx, QUEUE, {}, { startAfterSeconds: 2 }));
    await until(() => begun.length === 1);
    expect((begun[0] ?? 0) - committed).toBeGreaterThanOrEqual(1_900);
  });

  it('processes each of many jobs once in two processes, within the limit of concurrency', async () => {
    const seen = new Map<string, number>();
    let running = 0;
    let most = 0;
    const handler: JobHandler = async (data) => {
      seen.set(nameOf(data), (seen.get(nameOf(data)) ?? 0) + 1);
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 5));
      running--;
    };
    const names = Array.from({ length: 200 }, (_, index) => `giver ${index}`);
    await enqueue(await startNode(), ...names);
    await Promise.all([startNode(handler, { concurrency: 4 }), startNode(handler, { concurrency: 4 })]);
    await until(allDone);
    expect([...seen.keys()].sort()).toEqual([...names].sort());
    expect([...seen.values()].every((times) => times === 1)).toBe(true);
    expect(most).toBeLessThanOrEqual(8);
  });

  it('retries a job whose handler threw, and does not store the error', async () => {
    let tries = 0;
    const node = await startNode(() => {
      tries++;
      if (tries === 1) throw Object.assign(new Error('not now'), { parameters: ['Appleseed'] });
      return Promise.resolve();
    });
    await enqueue(node, 'Ann');
    await until(async () => (await states())[0] === 'retry');
    const [row] = await database.query<{ job: string }>('SELECT job::text FROM job WHERE queue = $1', [QUEUE]);
    expect(row?.job).not.toContain('Appleseed');
    await until(allDone);
    expect(tries).toBe(2);
  });

  it('completes a job in the handler’s transaction, or not at all', async () => {
    let tries = 0;
    const node: Node = await startNode(async (_data, job) => {
      await node.transactions.run(async (tx) => {
        expect(await job.complete(tx)).toBe(true);
        if (++tries === 1) throw new Error('rolled back');
      });
    });
    await enqueue(node, 'Ann');
    await until(allDone);
    expect(tries).toBe(2);
  });

  it('tells a handler that another process has claimed its job', async () => {
    const answers: boolean[] = [];
    let tries = 0;
    const node: Node = await startNode(async (_data, job) => {
      // Counted before the wait: the second try can begin before the first has its answer.
      if (++tries === 1) await database.query('UPDATE job SET leased_until = NULL WHERE queue = $1', [QUEUE]);
      answers.push(await node.transactions.run((tx) => job.complete(tx)));
    });
    await enqueue(node, 'Ann');
    await until(allDone);
    expect(answers).toEqual([false, true]);
  });

  it('takes over the job of a process that was killed', async () => {
    const seen: string[] = [];
    await enqueue(await startNode(), 'Ann');
    await database.query(`UPDATE job SET attempts = 1, leased_until = now() + interval '1 s'`);
    await startNode((data) => {
      seen.push(nameOf(data));
      return Promise.resolve();
    });
    await sleep(500);
    expect(seen).toEqual([]);
    await until(allDone);
    expect(seen).toEqual(['Ann']);
  });

  it('does not let a process finish a job that another process has claimed since', async () => {
    const answers: (string | boolean)[] = [];
    const finish: (() => void)[] = [];
    const startNamed = async (name: string): Promise<Node> => {
      const node: Node = await startNode(
        async (_data, job) => {
          await new Promise<void>((resolve) => finish.push(resolve));
          answers.push(name, await node.transactions.run((tx) => job.complete(tx)));
        },
        { concurrency: 1, pace: { ...QUICK_PACE, leaseRenewal: 60_000 } },
      );
      return node;
    };
    await enqueue(await startNamed('first'), 'Ann');
    await until(() => finish.length === 1);
    await database.query(`UPDATE job SET leased_until = now() - interval '1 s' WHERE queue = $1`, [QUEUE]);
    await startNamed('second');
    await until(() => finish.length === 2);
    finish[0]?.();
    await until(() => answers.length === 2);
    expect(answers).toEqual(['first', false]);
    expect(await states()).toEqual(['active']);
    finish[1]?.();
    await until(() => answers.length === 4);
    expect(answers.slice(2)).toEqual(['second', true]);
    expect(await states()).toEqual([]);
  });

  it.each([
    [1, 1],
    [2, 2],
    [3, 4],
    [4, 8],
    [9, 256],
    [10, 300],
    [1_000_000, 300],
  ])('after fault %d, retries a job in %d s, and never gives up', async (faults, seconds) => {
    const node = await startNode();
    await enqueue(node, 'Ann');
    await database.query('UPDATE job SET attempts = $1', [faults - 1]);
    await startNode(() => Promise.reject(new Error('not now')));
    await until(async () => (await attempts()) === faults && (await states())[0] === 'retry');
    const [job] = await database.query<{ wait: number }>(
      'SELECT extract(epoch FROM due_at - now())::float8 AS wait FROM job WHERE queue = $1',
      [QUEUE],
    );
    expect(job?.wait).toBeLessThanOrEqual(seconds);
    expect(job?.wait).toBeGreaterThan(seconds - 1);
  });

  it('renews the lease of a job for as long as its handler runs', async () => {
    let end = (): void => undefined;
    const node = await startNode(() => new Promise<void>((resolve) => (end = resolve)));
    await enqueue(node, 'Ann');
    await until(async () => (await states())[0] === 'active');
    // As if half a minute had passed: in ten seconds the lease would end.
    await database.query(`UPDATE job SET leased_until = now() + interval '10 s' WHERE queue = $1`, [QUEUE]);
    await until(async () => {
      const [job] = await database.query<{ renewed: boolean }>(
        `SELECT leased_until > now() + interval '30 s' AS renewed FROM job WHERE queue = $1`,
        [QUEUE],
      );
      return job?.renewed === true;
    }, 15_000);
    end();
    await until(allDone);
  });

  it('aborts a handler whose job was claimed by another process', async () => {
    let lost = false;
    const node = await startNode(
      (_data, { signal }) =>
        new Promise<void>((resolve) => {
          signal.addEventListener('abort', () => {
            lost = true;
            resolve();
          });
        }),
    );
    await enqueue(node, 'Ann');
    await until(async () => (await states())[0] === 'active');
    await database.query('UPDATE job SET attempts = attempts + 1');
    await until(() => lost, 15_000);
  });

  it('survives the loss of its connections', async () => {
    const warned = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const unhandled: unknown[] = [];
    const note = (reason: unknown): void => void unhandled.push(reason);
    process.on('unhandledRejection', note);
    const done = new Set<string>();
    const handler: JobHandler = async (data) => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      done.add(nameOf(data));
    };
    const node = await startNode(handler, { concurrency: 2 });
    const names = Array.from({ length: 100 }, (_, index) => `giver ${index}`);
    await enqueue(node, ...names);
    for (let round = 0; round < 8; round++) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      await database.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE application_name = 'offertory jobs' AND datname = current_database()`,
      );
    }
    // A job is retried at the end of its lease if its connection died before the claim was answered.
    await letJobsExpire(database);
    await until(allDone, 25_000);
    expect(done.size).toBe(100);
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
    expect(warned.mock.calls.length).toBeLessThan(30);
  });

  it('waits for a database that is unavailable when work starts, and logs this once', async () => {
    const warned = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const closed = createServer((socket) => socket.end());
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
    const { port } = closed.address() as AddressInfo;
    const queue = new JobQueue({ url: `postgres://postgres@127.0.0.1:${port}/nowhere` }, new Metrics(), QUICK_PACE);
    queue.handle(QUEUE, () => Promise.resolve());
    queue.startWorking();
    let tries = 0;
    closed.on('connection', () => tries++);
    await until(() => tries >= 4);
    expect(warned.mock.calls).toHaveLength(1);
    await queue.stop();
    closed.close();
  });

  it('stops within seconds although a handler hangs, and releases the job', async () => {
    let aborted = false;
    const node = await startNode(
      (_data, job) =>
        new Promise<void>((resolve) => {
          // The handler ignores the abort signal.
          job.signal.addEventListener('abort', () => (aborted = true));
          setTimeout(resolve, 20_000).unref();
        }),
      { pace: SERVICE_PACE },
    );
    await enqueue(node, 'Ann');
    await until(async () => (await states())[0] === 'active');
    const begun = Date.now();
    await Promise.all([node.queue.stop(), node.queue.stop()]);
    expect(Date.now() - begun).toBeLessThan(5_500);
    expect(aborted).toBe(true);
    expect(await states()).toEqual(['retry']);
  });

  it('lets a running handler finish when it stops', async () => {
    let finished = false;
    const node = await startNode(async () => {
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      finished = true;
    });
    await enqueue(node, 'Ann');
    await until(async () => (await states())[0] === 'active');
    await node.queue.stop();
    expect(finished).toBe(true);
    expect(await states()).toEqual([]);
  });

  it('makes waiting jobs due, and returns those that exist', async () => {
    const seen: string[] = [];
    const { queue, transactions } = await startNode((data) => {
      seen.push(nameOf(data));
      return Promise.resolve();
    });
    const [ann, bob] = [{ name: 'Ann' }, { name: 'Bob' }];
    await transactions.run((tx) => queue.enqueue(tx, QUEUE, ann, { startAfterSeconds: 3_600 }));
    expect(await transactions.run((tx) => queue.hasten(tx, QUEUE, [ann, bob]))).toEqual([ann]);
    await until(allDone);
    expect(seen).toEqual(['Ann']);
  });

  it('recognizes jobs that the previous release has queued or is processing', async () => {
    await database.query(`
      SELECT pgboss.create_queue('${QUEUE}', '{"policy": "standard"}');
      INSERT INTO pgboss.job (name, data, state, started_on) VALUES ('${QUEUE}', '{"name": "Ann"}', 'active', now());
      INSERT INTO pgboss.job (name, data, start_after) VALUES ('${QUEUE}', '{"name": "Bob"}', now() + interval '1 hour')`);
    const seen: string[] = [];
    const { queue, transactions } = await startNode((data) => {
      seen.push(nameOf(data));
      return Promise.resolve();
    });
    const [ann, bob, joe] = [{ name: 'Ann' }, { name: 'Bob' }, { name: 'Joe' }];
    expect(await transactions.run((tx) => queue.hasten(tx, QUEUE, [ann, bob, joe]))).toEqual(
      expect.arrayContaining([ann, bob]),
    );
    await until(() => seen.length === 1);
    expect(seen).toEqual(['Bob']);
  });
});
