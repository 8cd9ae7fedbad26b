import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, OnModuleInit } from '@nestjs/common';
import { DatabaseReadiness } from '../database/index.js';
import { Metrics } from '../metrics/index.js';
import { MigrationsPendingError, ServiceStoppingError } from './errors.js';

/** How long a result is reused, in milliseconds. */
const FRESH_MS = 1_000;
/** How long a scrape of the metrics waits for the result, in milliseconds. It waits 2 s for all of them. */
const SCRAPE_LIMIT_MS = 1_500;

interface Check {
  readonly startedAt: number;
  readonly result: Promise<void>;
  isDone: boolean;
}

/** Checks readiness at most once a second, however many callers ask. */
@Injectable()
export class Readiness implements OnModuleInit {
  private check: Check | undefined;
  private isStopping = false;

  constructor(
    private readonly database: DatabaseReadiness,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    this.metrics.gauges(
      'readiness',
      { offertory_ready: { help: '1 if a gift can be recorded now, as /health/ready says; otherwise 0' } },
      async () => ({ offertory_ready: [{ value: (await this.isReadySoon()) ? 1 : 0 }] }),
    );
  }

  /** From now on the process is not ready, so that load balancers send it no more calls. */
  beginStopping(): void {
    this.isStopping = true;
  }

  /** The result of the check that is running, or of one that began less than a second ago. Rejects when it failed. */
  async latest(): Promise<void> {
    if (this.isStopping) throw new ServiceStoppingError();
    const isOld = this.check?.isDone !== false && performance.now() - (this.check?.startedAt ?? -Infinity) >= FRESH_MS;
    if (this.check === undefined || isOld) this.check = this.begin();
    await this.check.result;
  }

  private isReadySoon(): Promise<boolean> {
    const isReady = this.latest().then(
      () => true,
      () => false,
    );
    return Promise.race([isReady, sleep(SCRAPE_LIMIT_MS, false, { ref: false })]);
  }

  private begin(): Check {
    const check: Check = { startedAt: performance.now(), result: this.examine(), isDone: false };
    const done = (): void => void (check.isDone = true);
    check.result.then(done, done);
    return check;
  }

  private async examine(): Promise<void> {
    const pending = await this.database.pendingMigrations();
    if (pending.length > 0) throw new MigrationsPendingError(pending.length);
  }
}
