import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { migrateDatabase } from '../src/database/index.js';
import { createTestDatabase, type TestDatabase } from '../test/support/test-database.js';
import { undoMigrations } from '../test/support/undo-migrations.js';
import { JobTable0023 } from './0023-job-table.js';
import { migrations } from './index.js';

let database: TestDatabase;

/** Creates the schema of the previous release. */
beforeEach(async () => {
  database = await createTestDatabase({ empty: true });
  const before = migrations.slice(0, migrations.indexOf(JobTable0023));
  const dataSource = await new DataSource({ type: 'postgres', url: database.url, migrations: before }).initialize();
  await dataSource.runMigrations({ transaction: 'all' });
  await dataSource.destroy();
});
afterEach(() => database.drop());

const up = (): Promise<unknown> => migrateDatabase(database.connection);

const down = (): Promise<void> => undoMigrations(database.url, migrations.length - migrations.indexOf(JobTable0023));

/** Queues a delivery like the previous release. `columns` and `values` are added to its row. */
async function queueDelivery(id: number, columns = '', values = ''): Promise<void> {
  await database.query(
    `INSERT INTO pgboss.job (name, data, retry_limit, retry_delay, retry_backoff, expire_in, keep_until, policy${columns})
     VALUES ('send-delivery', $1, 1000000, 1, true, interval '40 s', now() + interval '365 days', 'standard'${values})`,
    [{ deliveryId: id }],
  );
}

interface Job {
  readonly id: number;
  /** In seconds, rounded. */
  readonly wait: number;
}

const jobs = (): Promise<Job[]> =>
  database.query(
    `SELECT (data->'deliveryId')::integer AS id, round(extract(epoch FROM due_at - now()))::integer AS wait FROM job
     WHERE queue = 'send-delivery' AND leased_until IS NULL ORDER BY id`,
  );

const pgbossJobs = (): Promise<(Job & { readonly state: string })[]> =>
  database.query(
    `SELECT (data->'deliveryId')::integer AS id, state::text, round(extract(epoch FROM start_after - now()))::integer AS wait
     FROM pgboss.job ORDER BY id`,
  );

const soon = expect.closeTo(0, -1);

describe('jobs of the previous release', () => {
  it('move to the new table if they wait, wait for a retry, or their process was killed', async () => {
    await queueDelivery(1);
    await queueDelivery(2, ', start_after', ", now() + interval '1 hour'");
    await queueDelivery(3, ', state, start_after, retry_count', ", 'retry', now() + interval '18 hours', 16");
    await queueDelivery(4, ', state, started_on', ", 'active', now() - interval '41 s'");
    await up();
    expect(await jobs()).toEqual([
      { id: 1, wait: soon },
      { id: 2, wait: expect.closeTo(3_600, -1) },
      { id: 3, wait: expect.closeTo(300, -1) },
      { id: 4, wait: soon },
    ]);
    expect(await pgbossJobs()).toEqual([]);
  });

  it('stay with the process that runs them, and are adopted after it fails or is killed', async () => {
    await queueDelivery(1, ', state, started_on', ", 'active', now()");
    await queueDelivery(2, ', state, started_on', ", 'active', now()");
    await queueDelivery(3, ', state, completed_on', ", 'completed', now()");
    await up();
    expect(await jobs()).toEqual([]);
    await database.query(`UPDATE pgboss.job SET state = 'retry' WHERE data = '{"deliveryId": 1}'`);
    await database.query('SELECT adopt_pgboss_jobs()');
    expect(await jobs()).toMatchObject([{ id: 1 }]);
    await database.query(`UPDATE pgboss.job SET started_on = now() - interval '41 s' WHERE state = 'active'`);
    await database.query('SELECT adopt_pgboss_jobs()');
    expect(await jobs()).toMatchObject([{ id: 1 }, { id: 2 }]);
    expect(await pgbossJobs()).toMatchObject([{ id: 3, state: 'completed' }]);
  });

  it('are adopted when queued beside this release, and make a job that is already queued due now', async () => {
    await up();
    await database.query(
      `INSERT INTO job (queue, data, due_at) VALUES ('send-delivery', '{"deliveryId": 1}', now() + interval '1 hour')`,
    );
    await queueDelivery(1);
    await queueDelivery(2);
    await queueDelivery(2, ', start_after', ", now() + interval '1 hour'");
    await database.query('SELECT adopt_pgboss_jobs()');
    expect(await jobs()).toEqual([
      { id: 1, wait: soon },
      { id: 2, wait: soon },
    ]);
  });

  it('stay if they are periodic, so that the previous release queues no more of them', async () => {
    await queueDelivery(1, ', singleton_on', ', now()');
    await up();
    expect(await jobs()).toEqual([]);
    expect(await pgbossJobs()).toMatchObject([{ id: 1, state: 'created' }]);
  });

  it('are neither lost nor duplicated when several sessions adopt them', async () => {
    await up();
    for (let id = 1; id <= 200; id++) await queueDelivery(id);
    await Promise.all(Array.from({ length: 4 }, () => database.query('SELECT adopt_pgboss_jobs()')));
    expect((await jobs()).map(({ id }) => id)).toEqual(Array.from({ length: 200 }, (_, index) => index + 1));
  });
});

describe('jobs of this release', () => {
  /** One of the statements that the previous release runs every ten seconds. */
  const maintainPgboss = (): Promise<unknown> =>
    database.query(`DELETE FROM pgboss.archive WHERE archived_on < (now() - interval '1 day')`);

  it('are given to the previous release after nobody has started them for a minute', async () => {
    await up();
    await database.query(`
      INSERT INTO job (queue, data, due_at, leased_until, every_seconds) VALUES
        ('send-delivery', '{"deliveryId": 1}', now() - interval '61 s', NULL, NULL),
        ('send-delivery', '{"deliveryId": 2}', now() - interval '59 s', NULL, NULL),
        ('send-delivery', '{"deliveryId": 3}', now() - interval '1 hour', now(), NULL),
        ('send-delivery', '{"deliveryId": 4}', now() - interval '1 hour', now() - interval '61 s', NULL),
        ('send-delivery', '{"deliveryId": 5}', now() - interval '1 hour', NULL, 60),
        ('unknown-to-it', '{"deliveryId": 6}', now() - interval '1 hour', NULL, NULL)`);
    await maintainPgboss();
    expect(await pgbossJobs()).toMatchObject([
      { id: 1, state: 'created' },
      { id: 4, state: 'created' },
    ]);
    expect(await database.query(`SELECT (data->'deliveryId')::integer AS id FROM job ORDER BY 1`)).toEqual([
      { id: 2 },
      { id: 3 },
      { id: 5 },
      { id: 6 },
    ]);
    const [options] = await database.query(
      `SELECT retry_limit, retry_delay, retry_backoff, expire_in::text, policy, keep_until > now() + interval '364 days' AS kept
       FROM pgboss.job LIMIT 1`,
    );
    expect(options).toEqual({
      retry_limit: 1_000_000,
      retry_delay: 1,
      retry_backoff: true,
      expire_in: '00:00:40',
      policy: 'standard',
      kept: true,
    });
  });

  it('of all queues are moved back when the migration is reverted, and return when it is applied again', async () => {
    await up();
    await database.query(`
      INSERT INTO job (queue, data, due_at, leased_until, every_seconds) VALUES
        ('send-delivery', '{"deliveryId": 1}', now() + interval '1 hour', NULL, NULL),
        ('send-delivery', '{"deliveryId": 2}', now(), now() + interval '40 s', NULL),
        ('send-delivery', '{}', now(), NULL, 60),
        ('chat', '{"deliveryId": 3}', now(), NULL, NULL)`);
    await down();
    expect(await pgbossJobs()).toEqual([
      { id: 1, state: 'created', wait: expect.closeTo(3_600, -1) },
      { id: 2, state: 'created', wait: soon },
      { id: 3, state: 'created', wait: soon },
    ]);
    await up();
    expect(await pgbossJobs()).toEqual([]);
    expect(await jobs()).toEqual([
      { id: 1, wait: expect.closeTo(3_600, -1) },
      { id: 2, wait: soon },
    ]);
  });
});
