import { Logger } from '@nestjs/common';
import type PgBoss from 'pg-boss';
import type { EntityManager } from 'typeorm';
import { isDatabaseUnavailable } from '../database/index.js';
import { describeFault } from './faults.js';
import type { JobHandler, RunningJob } from './job-handler.js';
import { JOB_OPTIONS } from './job-options.js';
import { throughTransaction } from './through-transaction.js';

/** A handler is told to end this long before its job expires and is given to somebody else. */
const TIME_LIMIT_MS = (JOB_OPTIONS.expireInSeconds - 5) * 1_000;

type TellingComplete = (
  queue: string,
  id: string,
  output: object,
  options: PgBoss.ConnectionOptions,
) => Promise<{ affected: number }>;

/** One job at work: its handler, its time limit, and the word to the queue about how it ended. */
export class JobRun implements RunningJob {
  private readonly logger = new Logger('JobQueue');
  private readonly controller = new AbortController();
  private completed = false;
  /** Resolves when the handler has ended and the queue knows, or cannot be told. Never rejects. */
  readonly done: Promise<void>;

  constructor(
    private readonly job: PgBoss.Job,
    private readonly boss: PgBoss,
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
    const timeLimit = setTimeout(() => {
      this.abort(`It took longer than ${TIME_LIMIT_MS / 1_000} s`);
    }, TIME_LIMIT_MS).unref();
    try {
      await handler(this.job.data, this);
      if (!this.completed) await this.tellDone();
    } catch (error) {
      const reason = describeFault(error);
      this.report(reason, error);
      await this.giveBack(reason);
    } finally {
      clearTimeout(timeLimit);
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
