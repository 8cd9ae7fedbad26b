import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { describeError, isDatabaseUnavailable } from '../database/index.js';
import type { JobHandler } from './job-handler.js';
import type { JobPace } from './job-pace.js';
import { JobRun } from './job-run.js';
import { CLAIM, type ClaimedJob, GIVE_BACK, SCHEDULE } from './job-statements.js';
import { atMost, type QueueDatabase } from './queue-database.js';

/** A queue, and how this process works on its jobs. */
export interface QueueWork {
  readonly queue: string;
  readonly handler: JobHandler;
  /** The largest number of jobs that this process runs at the same time. */
  readonly concurrency: number;
  /** The period of the queue's periodic job; undefined if the queue has none. */
  readonly everySeconds: number | undefined;
}

/** Claims the due jobs of one queue and runs its handler on them, from its construction until it is stopped. */
export class QueueWorker {
  private readonly logger = new Logger('JobQueue');
  private readonly running = new Set<JobRun>();
  private readonly stopping = new AbortController();
  private readonly loop: Promise<void>;
  private isScheduled: boolean;
  private lastFault: string | undefined;

  constructor(
    private readonly work: QueueWork,
    private readonly database: QueueDatabase,
    private readonly pace: JobPace,
  ) {
    this.isScheduled = work.everySeconds === undefined;
    this.loop = this.claimForEver();
  }

  /**
   * Stops the worker. It claims no more jobs, and gives the running handlers some time to finish. Then it aborts the
   * handlers that are still running, and puts their jobs back into the queue.
   */
  async stop(): Promise<void> {
    this.stopping.abort();
    await atMost(this.pace.finishing, this.allDone());
    for (const run of this.running) run.abort('The process is shutting down');
    await atMost(this.pace.aborting, this.allDone());
    await atMost(this.pace.aborting, Promise.all([...this.running].map((run) => run.giveBack())));
  }

  private async allDone(): Promise<void> {
    await this.loop;
    await Promise.all([...this.running].map(({ done }) => done));
  }

  private async claimForEver(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      const delay = await this.beginDueJobs();
      if (this.running.size < this.work.concurrency) {
        await sleep(delay, undefined, { signal }).catch(() => undefined);
      } else {
        // More jobs may be due. The worker claims again as soon as one of the running jobs has ended.
        await Promise.race([...this.running].map(({ done }) => done));
      }
    }
  }

  /**
   * Claims due jobs, up to the queue's concurrency, and begins them.
   * @returns the delay before the next claim, in milliseconds.
   */
  private async beginDueJobs(): Promise<number> {
    const { queue, everySeconds, concurrency } = this.work;
    try {
      if (!this.isScheduled) await this.database.query(SCHEDULE, [queue, everySeconds]);
      this.isScheduled = true;
      const claimedAt = performance.now();
      const jobs = await this.database.query<ClaimedJob>(CLAIM, [queue, concurrency - this.running.size]);
      if (this.stopping.signal.aborted) await this.giveBack(jobs);
      else for (const job of jobs) this.begin(job, claimedAt);
      this.lastFault = undefined;
      return this.pace.poll;
    } catch (error) {
      if (!this.stopping.signal.aborted) this.report(error);
      return this.pace.delayAfterFault;
    }
  }

  /** Gives back jobs that were claimed while the process was stopping. */
  private async giveBack(jobs: readonly ClaimedJob[]): Promise<void> {
    for (const { id, attempts } of jobs) await this.database.query(GIVE_BACK, [id, attempts]);
  }

  private begin(job: ClaimedJob, claimedAt: number): void {
    const run = new JobRun(job, claimedAt, this.work, this.database, this.pace.leaseRenewal);
    this.running.add(run);
    void run.done.then(() => this.running.delete(run));
  }

  /** Logs a fault, but not again while the same fault repeats. {@link QueueDatabase} logs an unavailable database. */
  private report(error: unknown): void {
    const fault = describeError(error);
    if (fault === this.lastFault || isDatabaseUnavailable(error)) return;
    this.lastFault = fault;
    this.logger.error(`Fetching jobs of ${this.work.queue} failed: ${fault}`, (error as Error).stack);
  }
}
