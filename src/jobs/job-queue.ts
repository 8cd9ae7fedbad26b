import { Inject, Injectable, OnModuleDestroy } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type Connection, CONNECTION, sqlRows } from '../database/index.js';
import { Metrics } from '../metrics/index.js';
import type { JobHandler } from './job-handler.js';
import { JOB_PACE, type JobPace } from './job-pace.js';
import { ADOPT_PGBOSS_JOBS, ENQUEUE, HASTEN } from './job-statements.js';
import { QueueDatabase } from './queue-database.js';
import { registerQueueMetrics } from './queue-metrics.js';
import { type QueueWork, QueueWorker } from './queue-worker.js';

const ADOPT_EVERY_SECONDS = 10;

/**
 * Work for after a commit: rows of the table `job` (ADR 36). A job is queued in the caller's transaction and exists exactly
 * when that commits. Some process then works on it at least once, until its handler succeeds.
 */
@Injectable()
export class JobQueue implements OnModuleDestroy {
  private readonly database: QueueDatabase;
  private readonly work = new Map<string, QueueWork>();
  private workers: readonly QueueWorker[] | undefined;
  private stopped: Promise<void> | undefined;

  constructor(
    @Inject(CONNECTION) connection: Connection,
    metrics: Metrics,
    @Inject(JOB_PACE) private readonly pace: JobPace,
  ) {
    this.database = new QueueDatabase(connection);
    registerQueueMetrics(metrics, this.database, () => [...this.work.keys()]);
    this.handleEvery(ADOPT_EVERY_SECONDS, 'adopt-pgboss-jobs', async () => {
      await this.database.query(ADOPT_PGBOSS_JOBS);
    });
  }

  /**
   * Queues a job in `tx`. `data` holds ids only: the table is no place for personal details.
   * @throws Error when no module of this program handles the queue: the job would never be worked on.
   */
  async enqueue(
    tx: EntityManager,
    queue: string,
    data: object,
    { startAfterSeconds = 0 }: { readonly startAfterSeconds?: number } = {},
  ): Promise<void> {
    if (!this.work.has(queue)) throw new Error(`No handler is declared for the queue "${queue}"`);
    await sqlRows(tx, ENQUEUE, [queue, JSON.stringify(data), startAfterSeconds]);
  }

  /**
   * Makes the waiting jobs of the queue with exactly these data due now.
   * @returns the data of those that wait or are being worked on; there is no job for the others.
   */
  async hasten<T extends object>(tx: EntityManager, queue: string, data: readonly T[]): Promise<T[]> {
    await sqlRows(tx, ADOPT_PGBOSS_JOBS);
    const jobs = await sqlRows<{ data: T }>(tx, HASTEN, [queue, data.map((one) => JSON.stringify(one))]);
    return jobs.map((job) => job.data);
  }

  /**
   * Declares the handler of a queue. Modules call it in onModuleInit; nothing runs before {@link startWorking}.
   * `concurrency` is how many jobs of the queue this process works on at the same time.
   */
  handle(
    queue: string,
    handler: JobHandler,
    { concurrency = 5, everySeconds }: { readonly concurrency?: number; readonly everySeconds?: number } = {},
  ): void {
    if (this.work.has(queue)) throw new Error(`The queue "${queue}" has its handler already`);
    this.work.set(queue, { queue, handler, concurrency, everySeconds });
  }

  /** Like {@link handle}, for work without data that some process does every so many seconds. */
  handleEvery(everySeconds: number, queue: string, handler: JobHandler): void {
    this.handle(queue, handler, { concurrency: 1, everySeconds });
  }

  /** Begins to work on jobs in this process. A database that is away is waited for. */
  startWorking(): void {
    if (this.stopped !== undefined) return;
    this.workers ??= [...this.work.values()].map((work) => new QueueWorker(work, this.database, this.pace));
  }

  /**
   * Stops working within five seconds: running handlers get three, then they are aborted and their jobs go back to the
   * queue. Safe to call twice. Jobs can still be queued, for other processes.
   */
  async stop(): Promise<void> {
    this.stopped ??= this.shutDown();
    await this.stopped;
  }

  async onModuleDestroy(): Promise<void> {
    await this.stop();
  }

  private async shutDown(): Promise<void> {
    await Promise.all((this.workers ?? []).map((worker) => worker.stop()));
    await this.database.close();
  }
}
