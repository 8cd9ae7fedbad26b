import { Inject, Injectable, OnModuleDestroy } from '@nestjs/common';
import type { Client } from 'pg';
import { assertUsable, SELECT_FACTS, type SessionFacts } from './sessions/check-session.js';
import { type Connection, CONNECTION, openSession } from './sessions/connection.js';
import { withinTime } from './transactions/database-time.js';
import { ensureBooksEpoch } from './epochs/ensure-books-epoch.js';
import { readMigrationStatus } from './migrating/migrate.js';
import { POOLER_ADVICE } from './sessions/session-pooling.js';
import { isAnswerTimeout, sqlState, TOO_MANY_CONNECTIONS } from './errors/sqlstate.js';
import { SessionNotKeptError } from './sessions/unsuitable-session.js';

const APPLICATION = 'offertory readiness';

/** A check unfinished after so long counts as failed, in milliseconds. */
const CHECK_LIMIT_MS = 2_000;
/** A statement that has been waiting for so long is given up, and its connection with it, in milliseconds. */
const STUCK_MS = 15_000;
/**
 * How often it is tried whether files can grow and whether a new connection is as it must be, in milliseconds; each time
 * while something is wrong. A setting of the database or the role counts for new connections only.
 */
const ANEW_EVERY_MS = 10_000;

/** Writes to the server's write-ahead log and commits, as a gift does, but leaves nothing in any table. */
const COMMIT_SOMETHING = `SELECT pg_logical_emit_message(true, 'offertory', '')`;

/** Writes some 200 kB to a temporary file beside the tables: while the disk is full, a row may still fit into a page. */
const GROW_A_FILE = `
  SELECT set_config('work_mem', '64', true);
  SELECT count(*) FROM generate_series(1, 10000)`;

/** Ends a statement that was given up. Waiting for its standby, the server does not notice that the connection is gone. */
const END_STUCK = `
  SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = $1 AND application_name = '${APPLICATION}'`;

/**
 * Whether the database takes a gift now: it answers, is neither in recovery nor read-only, has room, and commits. It is
 * asked over a connection of its own: a full pool of the requests must not matter, nor may strangers who ask use that up.
 */
@Injectable()
export class DatabaseReadiness implements OnModuleDestroy {
  private session: Client | undefined;
  /** The server process behind the session. */
  private pid: number | undefined;
  private stuckPid: number | undefined;
  private probe: Promise<readonly string[]> | undefined;
  private openedAt = -Infinity;

  constructor(@Inject(CONNECTION) private readonly connection: Connection) {}

  /** The migrations that the database still lacks; rejects when it cannot take a gift now, after two seconds at most. */
  async pendingMigrations(): Promise<readonly string[]> {
    // A look that has not ended is waited for again: another one would hold another process of the server.
    const probe = (this.probe ??= this.look().finally(() => (this.probe = undefined)));
    // It may fail when nobody waits for it any more.
    probe.catch(() => undefined);
    return withinTime(CHECK_LIMIT_MS, () => probe);
  }

  async onModuleDestroy(): Promise<void> {
    await this.session?.end();
  }

  private async look(): Promise<readonly string[]> {
    const isKnown = this.session !== undefined;
    try {
      return await this.ask();
    } catch (error) {
      this.letGo(error);
      if (!isKnown || isAnswerTimeout(error)) throw error;
    }
    // The connection may have been lost since it was last used; what counts is what a new one finds.
    try {
      return await this.ask();
    } catch (error) {
      this.letGo(error);
      throw error;
    }
  }

  private async ask(): Promise<readonly string[]> {
    const known = performance.now() - this.openedAt > ANEW_EVERY_MS ? undefined : this.session;
    const session = known ?? (await this.openAnew());
    const facts = assertUsable((await session.query<SessionFacts>(SELECT_FACTS)).rows[0], true);
    if (this.pid !== undefined && this.pid !== facts.pid) throw new SessionNotKeptError(POOLER_ADVICE);
    this.pid = facts.pid;
    if (known === undefined) {
      await ensureBooksEpoch(session);
      await session.query(GROW_A_FILE);
    }
    const { pending } = await readMigrationStatus(async (sql) => (await session.query<{ name: string }>(sql)).rows);
    await session.query(COMMIT_SOMETHING);
    return pending;
  }

  /** Where the server has no connection left, the one that there is says what those of the requests can do. */
  private async openAnew(): Promise<Client> {
    const before = this.session;
    const session = await this.open().catch((error: unknown) => {
      if (before === undefined || sqlState(error) !== TOO_MANY_CONNECTIONS) throw error;
      return before;
    });
    if (session !== before) {
      void before?.end();
      this.pid = undefined;
    }
    this.session = session;
    this.openedAt = performance.now();
    return session;
  }

  private async open(): Promise<Client> {
    const limits = { connectionTimeoutMillis: CHECK_LIMIT_MS, query_timeout: STUCK_MS };
    const session = await openSession(this.connection, APPLICATION, limits);
    if (this.stuckPid !== undefined) await session.query(END_STUCK, [this.stuckPid]);
    this.stuckPid = undefined;
    return session;
  }

  /** Closes the connection: after any error the next look begins with a new one. */
  private letGo(error: unknown): void {
    if (isAnswerTimeout(error)) this.stuckPid = this.pid;
    void this.session?.end();
    this.session = undefined;
    this.pid = undefined;
    this.openedAt = -Infinity;
  }
}
