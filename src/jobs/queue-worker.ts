import { Logger } from '@nestjs/common';
import type PgBoss from 'pg-boss';
import { RepeatingFault } from './faults.js';
import type { JobHandler } from './job-handler.js';
import type { JobPace } from './job-pace.js';
import { JobRun } from './job-run.js';
import type { QueueDatabase } from './queue-database.js';
import { atMost, Pause } from './timing.js';

/** What a queue's jobs are worked on with. */
export interface QueueWork {
  readonly queue: string;
  readonly handler: JobHandler;
  /** Jobs at the same time in this process. */
  readonly concurrency: number;
}

/**
 * Fetches the jobs of one queue and runs its handler on them. pg-boss's own work() does not await its complete() and
 * fail(): while the database is away their rejections would end the process.
 */
export class QueueWorker {
  private readonly fault: RepeatingFault;
  private readonly pause = new Pause();
  private readonly running = new Set<JobRun>();
  private loop: Promise<void> = Promise.resolve();
  private mayBeMore = false;
  private stopping = false;

  constructor(
    private readonly work: QueueWork,
    private readonly boss: PgBoss,
    private readonly database: QueueDatabase,
    private readonly pace: JobPace,
  ) {
    this.fault = new RepeatingFault(new Logger('JobQueue'), `Fetching jobs of ${work.queue} failed`);
  }

  start(): void {
    this.loop = this.fetchForEver();
  }

  /** Fetches no more; running handlers may finish, then are told to end, and what is left goes back to the queue. */
  async stop(): Promise<void> {
    this.stopping = true;
    this.pause.cut();
    await atMost(this.pace.finishing, this.allDone());
    for (const run of this.running) run.abort('The process is shutting down');
    await atMost(this.pace.aborting, this.allDone());
    const left = [...this.running].map((run) => run.giveBack('The process shut down while this job was running'));
    await atMost(this.pace.aborting, Promise.all(left));
  }

  private async allDone(): Promise<void> {
    await this.loop;
    await Promise.all([...this.running].map(({ done }) => done));
  }

  private async fetchForEver(): Promise<void> {
    while (!this.stopping) {
      const rest = await this.takeJobs();
      // Whatever stop() could cut is still to come: it is asked again before the rest.
      if (!this.isStopping()) await this.pause.take(rest);
    }
  }

  private isStopping(): boolean {
    return this.stopping;
  }

  /** Starts as many jobs as there is room for. @returns how long to rest before the next look, in milliseconds. */
  private async takeJobs(): Promise<number> {
    const room = this.work.concurrency - this.running.size;
    // All places are taken: the first job that ends cuts the rest short.
    this.mayBeMore = true;
    if (room === 0) return this.pace.poll;
    try {
      const jobs = await this.fetch(room);
      jobs.forEach((job) => {
        this.begin(job);
      });
      this.mayBeMore = jobs.length === room;
      this.fault.isOver();
      return this.pace.poll;
    } catch (error) {
      if (!this.stopping) this.fault.happened(error);
      this.mayBeMore = false;
      return this.pace.restAfterFault;
    }
  }

  private begin(job: PgBoss.JobWithMetadata): void {
    const run = new JobRun(job, this.boss, this.database, this.pace, this.work.handler);
    this.running.add(run);
    void run.done.then(() => {
      this.running.delete(run);
      if (this.mayBeMore) this.pause.cut();
    });
  }

  /** pg-boss's fetch() takes every error for "no jobs"; a fault has to be seen, or a lost queue would look idle. */
  private async fetch(batchSize: number): Promise<PgBoss.JobWithMetadata[]> {
    const errors: unknown[] = [];
    const executeSql = (text: string, values: unknown[]): Promise<{ rows: unknown[] }> =>
      this.database.executeSql(text, values).catch((error: unknown) => {
        errors.push(error);
        throw error;
      });
    const jobs = await this.boss.fetch<object>(this.work.queue, {
      batchSize,
      includeMetadata: true,
      db: { executeSql },
    });
    if (errors.length > 0) throw errors[0];
    return jobs;
  }
}
