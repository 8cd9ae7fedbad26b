import { Client } from 'pg';

/** How often an attempt begins, in milliseconds. */
const EVERY = 200;
/** An attempt may wait as long as a commit does for a new standby. */
const ATTEMPT_LIMIT = 15_000;

/** A commit that was confirmed by the server with this port. */
interface Commit {
  readonly confirmed: number;
  readonly port: number;
}

/**
 * Commits to a database directly, without Offertory, on a new connection each time, and so shows when its cluster accepts
 * writes. An attempt does not wait for the one before, which may hang.
 */
export class WriteProbe {
  private readonly commits: Commit[] = [];
  private readonly timer: NodeJS.Timeout;
  private readonly attempts = new Set<Promise<void>>();

  constructor(private readonly url: string) {
    this.timer = setInterval(() => {
      const attempt = this.attempt().finally(() => this.attempts.delete(attempt));
      this.attempts.add(attempt);
    }, EVERY);
  }

  /** When the first commit was confirmed by another server than this one, if any was. */
  firstNotBy(port: number): number | undefined {
    const others = this.commits.filter((commit) => commit.port !== port).map(({ confirmed }) => confirmed);
    return others.length === 0 ? undefined : Math.min(...others);
  }

  /** When the last commit was confirmed by this server, if any was. */
  lastBy(port: number): number | undefined {
    return this.commits.findLast((commit) => commit.port === port)?.confirmed;
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await Promise.all(this.attempts);
  }

  private async attempt(): Promise<void> {
    const client = new Client({
      connectionString: this.url,
      connectionTimeoutMillis: ATTEMPT_LIMIT,
      query_timeout: ATTEMPT_LIMIT,
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query(`SELECT pg_logical_emit_message(true, 'probe', '')`);
      const { rows } = await client.query<{ port: number }>('SELECT inet_server_port() AS port');
      this.commits.push({ confirmed: performance.now(), port: rows[0]?.port ?? 0 });
    } catch {
      // The cluster has no primary now.
    } finally {
      void client.end().catch(() => undefined);
    }
  }
}
