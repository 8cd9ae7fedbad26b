import { Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { describeError, isDatabaseUnavailable, sqlRows } from '../database/index.js';
import type { JobHandler, RunningJob } from './job-handler.js';
import { type ClaimedJob, COMPLETE, GIVE_BACK, LEASE_SECONDS, RENEW } from './job-statements.js';
import type { QueueDatabase } from './queue-database.js';

/** Without a renewal for so long, in milliseconds, another process may have the job in a moment. */
const SAFE = (LEASE_SECONDS - 5) * 1_000;

/** A handler that takes longer, in milliseconds, hangs: it is aborted, and its lease is not renewed. */
const LONGEST_RUN = 600_000;

/** One job at work: its handler, and its lease, which is renewed for as long as the handler takes. */
export class JobRun implements RunningJob {
  private readonly logger = new Logger('JobQueue');
  private readonly claim: readonly [id: string, attempts: number];
  private readonly controller = new AbortController();
  readonly signal = this.controller.signal;
  private expiry: NodeJS.Timeout | undefined;
  private completed = false;
  /** Resolves when the handler has ended and the table knows, or cannot be told. Never rejects. */
  readonly done: Promise<void>;

  /** @param claimedAt when the job was claimed, on the clock of `performance` @param renewEvery how often its lease is renewed, in milliseconds */
  constructor(
    private readonly job: ClaimedJob,
    claimedAt: number,
    private readonly work: { readonly queue: string; readonly handler: JobHandler },
    private readonly database: QueueDatabase,
    renewEvery: number,
  ) {
    this.claim = [job.id, job.attempts];
    this.abortBeforeExpiry(claimedAt);
    const renewal = setInterval(() => void this.renew(), renewEvery).unref();
    const limit = setTimeout(() => {
      this.abort(`It took longer than ${LONGEST_RUN / 60_000} minutes`);
    }, LONGEST_RUN).unref();
    this.done = this.run().finally(() => {
      clearInterval(renewal);
      clearTimeout(limit);
      clearTimeout(this.expiry);
    });
  }

  async complete(tx: EntityManager): Promise<boolean> {
    this.completed = true;
    return (await sqlRows(tx, COMPLETE, this.claim)).length > 0;
  }

  /** Asks the handler to end; its job is then given back. */
  abort(reason: string): void {
    this.controller.abort(new Error(reason));
  }

  /** Puts the job back, to be tried again. Where that fails, it is tried again when its lease has ended. */
  async giveBack(): Promise<void> {
    await this.database.query(GIVE_BACK, this.claim).catch(() => undefined);
  }

  private async run(): Promise<void> {
    try {
      await this.work.handler(this.job.data, this);
      if (this.completed) return;
      if (this.signal.aborted) await this.giveBack();
      else await this.database.query(COMPLETE, this.claim);
    } catch (error) {
      const line = `A job of ${this.work.queue} will be tried again: ${describeError(error)}`;
      if (this.signal.aborted || isDatabaseUnavailable(error)) this.logger.warn(line);
      else this.logger.error(line, error instanceof Error ? error.stack : undefined);
      await this.giveBack();
    }
  }

  private async renew(): Promise<void> {
    if (this.signal.aborted) return;
    const askedAt = performance.now();
    try {
      const held = await this.database.query(RENEW, this.claim);
      if (held.length > 0) this.abortBeforeExpiry(askedAt);
      else this.abortUnlessCompleted();
    } catch {
      // QueueDatabase has logged it. The lease goes on for a while without a renewal.
    }
  }

  /** Aborts the handler before the lease of this time ends, unless it is renewed. */
  private abortBeforeExpiry(renewedAt: number): void {
    clearTimeout(this.expiry);
    const left = renewedAt + SAFE - performance.now();
    this.expiry = setTimeout(() => {
      this.abortUnlessCompleted();
    }, left).unref();
  }

  private abortUnlessCompleted(): void {
    if (!this.completed) this.abort('Another process may have its job');
  }
}
