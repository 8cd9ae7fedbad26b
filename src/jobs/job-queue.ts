import { Inject, Injectable, Logger, OnModuleDestroy } from '@nestjs/common';
import PgBoss from 'pg-boss';
import type { EntityManager } from 'typeorm';
import { CONNECTION, sqlRows } from '../database/index.js';
import type { Connection } from '../database/index.js';
import { Metrics } from '../metrics/index.js';
import { describeFault } from './faults.js';
import type { JobHandler } from './job-handler.js';
import { CLEANING_OPTIONS, DEFAULT_CONCURRENCY, JOB_OPTIONS } from './job-options.js';
import { JOB_PACE, type JobPace } from './job-pace.js';
import { QueueDatabase } from './queue-database.js';
import { handInQueueFigures } from './queue-figures.js';
import { QueueMaintenance } from './queue-maintenance.js';
import { QueueWork, QueueWorker } from './queue-worker.js';
import { throughTransaction } from './through-transaction.js';

/** How a single job is queued. */
export interface EnqueueOptions {
  /** The job is not begun before so many seconds have passed. */
  readonly startAfterSeconds?: number;
}

/** How a queue is worked on. */
export interface HandlerOptions {
  /** Jobs of this queue at the same time in this process; 5 if not given. */
  readonly concurrency?: number;
}

/** pg-boss 10 has no option for it. */
const HASTEN = `
  UPDATE pgboss.job SET start_after = CASE state WHEN 'active' THEN start_after ELSE now() END
  WHERE name = $1 AND state <= 'active' AND data IN (SELECT unnest($2::jsonb[]))
  RETURNING data`;

/**
 * What is to be done after a commit. A job is queued in the caller's transaction and exists exactly when that commits;
 * some process then works on it, at least once. Queues are made by migrations.
 */
@Injectable()
export class JobQueue implements OnModuleDestroy {
  private readonly logger = new Logger(JobQueue.name);
  private readonly database: QueueDatabase;
  private readonly boss: PgBoss;
  private readonly work = new Map<string, QueueWork>();
  private readonly everySeconds = new Map<string, number>();
  private readonly workers: QueueWorker[] = [];
  private maintenance: QueueMaintenance | undefined;
  private stopped: Promise<void> | undefined;

  constructor(
    @Inject(CONNECTION) connection: Connection,
    metrics: Metrics,
    @Inject(JOB_PACE) private readonly pace: JobPace,
  ) {
    this.database = new QueueDatabase(connection);
    handInQueueFigures(metrics, this.database);
    // Never started: its statements are all that is used, by processes that only enqueue as well.
    this.boss = new PgBoss({ db: this.database, ...CLEANING_OPTIONS });
    this.boss.on('error', (error) => {
      this.logger.error(`The queue reports a fault: ${describeFault(error)}`);
    });
  }

  /**
   * Queues a job in `tx`. `data` holds ids only: the queue's tables are no place for anybody's details.
   * @throws Error when there is no such queue.
   */
  async enqueue(tx: EntityManager, queue: string, data: object, options: EnqueueOptions = {}): Promise<void> {
    const { startAfterSeconds = 0 } = options;
    const db = throughTransaction(tx);
    const id = await this.boss.send(queue, data, { ...JOB_OPTIONS, startAfter: startAfterSeconds, db });
    // pg-boss only shrugs at a queue it does not know, and the job would be lost.
    if (id === null) throw new Error(`There is no queue "${queue}"; a migration has to create it`);
  }

  /**
   * Has jobs that wait in the queue begun now, those with just these data.
   * @returns the data of those that wait or are being worked on; there is no job for the others.
   */
  async hasten<T extends object>(tx: EntityManager, queue: string, data: readonly T[]): Promise<T[]> {
    const jobs = await sqlRows<{ data: T }>(tx, HASTEN, [queue, data.map((one) => JSON.stringify(one))]);
    return jobs.map((job) => job.data);
  }

  /** Names who works on a queue's jobs. Called by modules in onModuleInit; nothing runs before {@link startWorking}. */
  handle(queue: string, handler: JobHandler, options: HandlerOptions = {}): void {
    if (this.work.has(queue)) throw new Error(`The queue "${queue}" has its handler already`);
    this.work.set(queue, { queue, handler, concurrency: options.concurrency ?? DEFAULT_CONCURRENCY });
  }

  /** As {@link handle}, for work that is due every so many seconds: some process then does it once, with no data. */
  handleEvery(seconds: number, queue: string, handler: JobHandler): void {
    this.handle(queue, handler, { concurrency: 1 });
    this.everySeconds.set(queue, seconds);
  }

  /** Begins to work on jobs in this process. A database that is away is waited for. */
  startWorking(): void {
    if (this.maintenance !== undefined || this.stopped !== undefined) return;
    for (const work of this.work.values()) {
      const worker = new QueueWorker(work, this.boss, this.database, this.pace);
      this.workers.push(worker);
      worker.start();
    }
    this.maintenance = new QueueMaintenance(this.boss, this.database, this.everySeconds, this.pace.maintenance);
    this.maintenance.start();
  }

  /**
   * Stops working, within some five seconds: running handlers get three of them, then their signal is aborted and
   * their jobs go back to the queue. Safe to call twice. Jobs can still be queued, for other processes.
   */
  async stop(): Promise<void> {
    this.stopped ??= this.shutDown();
    await this.stopped;
  }

  async onModuleDestroy(): Promise<void> {
    await this.stop();
  }

  private async shutDown(): Promise<void> {
    this.maintenance?.stop();
    await Promise.all(this.workers.map((worker) => worker.stop()));
    await this.database.close();
  }
}
