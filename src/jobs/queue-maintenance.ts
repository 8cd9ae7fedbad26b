import { Logger } from '@nestjs/common';
import type PgBoss from 'pg-boss';
import { RepeatingFault } from './faults.js';
import { JOB_OPTIONS, LONGEST_RETRY_WAIT_SECONDS } from './job-options.js';
import type { QueueDatabase } from './queue-database.js';
import { Pause } from './timing.js';

/** pg-boss 10 has no option for it. */
const SHORTEN_LONG_WAITS = `
  UPDATE pgboss.job SET start_after = now() + make_interval(secs => $1)
  WHERE state = 'retry' AND start_after > now() + make_interval(secs => $1)`;

/**
 * Gives the jobs of killed processes back to the queue, queues what is due and clears up, every `interval`
 * milliseconds. pg-boss would do so itself once started, but its start() cannot be repeated after a database that was
 * away, and its timer does not tell whether it is at work; here both are in our hands.
 */
export class QueueMaintenance {
  private readonly pause = new Pause();
  private readonly fault = new RepeatingFault(new Logger('JobQueue'), 'Maintaining the queue failed');
  private stopping = false;

  constructor(
    private readonly boss: PgBoss,
    private readonly database: QueueDatabase,
    private readonly everySeconds: ReadonlyMap<string, number>,
    private readonly interval: number,
  ) {}

  start(): void {
    void this.maintainForEver();
  }

  /** Does no more. A statement under way ends with its connection, when QueueDatabase is closed. */
  stop(): void {
    this.stopping = true;
    this.pause.cut();
  }

  private async maintainForEver(): Promise<void> {
    while (!this.stopping) {
      await this.maintain();
      // Asked again: a pause that begins after stop() would not be cut.
      if (!this.isStopping()) await this.pause.take(this.interval);
    }
  }

  private isStopping(): boolean {
    return this.stopping;
  }

  private async maintain(): Promise<void> {
    try {
      await this.boss.maintain();
      await this.database.executeSql(SHORTEN_LONG_WAITS, [LONGEST_RETRY_WAIT_SECONDS]);
      await this.queueWhatIsDue();
      this.fault.isOver();
    } catch (error) {
      if (!this.stopping) this.fault.happened(error);
    }
  }

  /** pg-boss cuts time into slots of that length, and takes one job for each, whichever process asks first. */
  private async queueWhatIsDue(): Promise<void> {
    for (const [queue, singletonSeconds] of this.everySeconds) {
      await this.boss.send(queue, {}, { ...JOB_OPTIONS, singletonSeconds });
    }
  }
}
