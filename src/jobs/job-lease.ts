import type PgBoss from 'pg-boss';
import { JOB_OPTIONS } from './job-options.js';
import type { QueueDatabase } from './queue-database.js';

/** pg-boss 10 gives a job to somebody else so long after its start, whether or not it is being worked on. */
const RENEW = `
  UPDATE pgboss.job SET started_on = now()
  WHERE name = $1 AND id = $2 AND retry_count = $3 AND state = 'active' RETURNING id`;

/** Without a renewal for so long the job is about to be given to somebody else. */
const SAFE_MS = (JOB_OPTIONS.expireInSeconds - 5) * 1_000;

/**
 * Keeps a running job this process's own, for as long as its handler takes: so a killed process's jobs can be given to
 * others soon, and a handler that waits for a slow mail server is not disturbed.
 */
export class JobLease {
  private readonly timer: NodeJS.Timeout;
  private renewedAt = performance.now();

  /**
   * @param renewal how often it is renewed, in milliseconds
   * @param onLoss called when the job is, or is about to be, somebody else's
   */
  constructor(
    private readonly job: PgBoss.JobWithMetadata,
    private readonly database: QueueDatabase,
    renewal: number,
    private readonly onLoss: () => void,
  ) {
    this.timer = setInterval(() => void this.renew(), renewal).unref();
  }

  end(): void {
    clearInterval(this.timer);
  }

  private async renew(): Promise<void> {
    const askedAt = performance.now();
    try {
      const { rows } = await this.database.executeSql(RENEW, [this.job.name, this.job.id, this.job.retryCount]);
      // None: it is no more active, or was begun once more, by somebody.
      this.renewedAt = rows.length > 0 ? askedAt : -Infinity;
    } catch {
      // The database is away, which QueueDatabase has said.
    }
    if (performance.now() - this.renewedAt > SAFE_MS) this.onLoss();
  }
}
