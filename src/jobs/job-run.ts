import { Logger } from '@nestjs/common';
import type PgBoss from 'pg-boss';
import type { EntityManager } from 'typeorm';
import { isDatabaseUnavailable } from '../database/index.js';
import { describeFault } from './faults.js';
import type { JobHandler, RunningJob } from './job-handler.js';
import { JobLease } from './job-lease.js';
import { LONGEST_RUN_MS } from './job-options.js';
import type { JobPace } from './job-pace.js';
import type { QueueDatabase } from './queue-database.js';
import { throughTransaction } from './through-transaction.js';

type TellingComplete = (
  queue: string,
  id: string,
  output: object,
  options: PgBoss.ConnectionOptions,
) => Promise<{ affected: number }>;

/** One job at work: its handler, its lease, and the word to the queue about how it ended. */
export class JobRun implements RunningJob {
  private readonly logger = new Logger('JobQueue');
  private readonly controller = new AbortController();
  private completed = false;
  /** Resolves when the handler has ended and the queue knows, or cannot be told. Never rejects. */
  readonly done: Promise<void>;

  constructor(
    private readonly job: PgBoss.JobWithMetadata,
    private readonly boss: PgBoss,
    private readonly database: QueueDatabase,
    private readonly pace: JobPace,
    handler: JobHandler,
  ) {
    this.done = this.run(handler);
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  async complete(tx: EntityManager): Promise<boolean> {
    this.completed = true;
    return await this.tellDone(throughTransaction(tx));
  }

  /** Tells the handler to end; its job is then given back. */
  abort(reason: string): void {
    this.controller.abort(new Error(reason));
  }

  /** Puts the job back, to be tried again soon. Where that fails it is, when it has expired. */
  async giveBack(reason: string): Promise<void> {
    try {
      // The text alone: pg-boss would store an error with all it holds, a failed statement's parameters among it.
      await this.boss.fail(this.job.name, this.job.id, { reason });
    } catch {
      // The database is away, which QueueDatabase has said.
    }
  }

  private async run(handler: JobHandler): Promise<void> {
    const lease = new JobLease(this.job, this.database, this.pace.leaseRenewal, () => {
      if (!this.completed) this.abort('The queue gives it to another process');
    });
    const timeLimit = setTimeout(() => {
      this.abort(`It took longer than ${LONGEST_RUN_MS / 60_000} minutes`);
      lease.end();
    }, LONGEST_RUN_MS).unref();
    try {
      await handler(this.job.data, this);
      if (!this.completed) await this.tellDone();
    } catch (error) {
      const reason = describeFault(error);
      this.report(reason, error);
      await this.giveBack(reason);
    } finally {
      clearTimeout(timeLimit);
      lease.end();
    }
  }

  private async tellDone(db?: PgBoss.Db): Promise<boolean> {
    // pg-boss tells how many jobs it marked, though its types do not say so.
    const complete = this.boss.complete.bind(this.boss) as unknown as TellingComplete;
    const { affected } = await complete(this.job.name, this.job.id, {}, db === undefined ? {} : { db });
    return affected > 0;
  }

  private report(reason: string, error: unknown): void {
    const line = `A job of ${this.job.name} will be tried again: ${reason}`;
    if (this.signal.aborted || isDatabaseUnavailable(error)) this.logger.warn(line);
    else this.logger.error(line);
  }
}
