import { Inject, Injectable, OnModuleDestroy } from '@nestjs/common';
import type { Client } from 'pg';
import { assertUsable, SELECT_FACTS, type SessionFacts } from './sessions/session-check.js';
import { type Connection, CONNECTION, openSession } from './sessions/connection.js';
import { withinTime } from './transactions/database-time.js';
import { ensureBooksEpoch } from './epochs/ensure-books-epoch.js';
import { readMigrationStatus } from './migrating/migrate.js';
import { POOLER_ADVICE } from './sessions/session-pooling.js';
import { isAnswerTimeout, sqlState, TOO_MANY_CONNECTIONS } from './errors/sqlstate.js';
import { SessionNotKeptError } from './sessions/unsuitable-session.js';

const APPLICATION = 'offertory readiness';

/** A check that takes longer has failed, in milliseconds. */
const CHECK_LIMIT_MS = 2_000;
/** A statement that takes longer is abandoned together with its connection, in milliseconds. */
const STUCK_MS = 15_000;
/**
 * How often a new connection is opened and checked, and a file written, in milliseconds. After a failure each check
 * does so. A new connection is needed because settings of the database or the role only apply to new ones.
 */
const NEW_SESSION_EVERY_MS = 10_000;

/** Writes to the server's write-ahead log and commits, as a gift does, but changes no table. */
const COMMIT_WITHOUT_CHANGE = `SELECT pg_logical_emit_message(true, 'offertory', '')`;

/** Writes about 200 kB to a temporary file, because on a full disk a row may still fit into an existing page. */
const WRITE_TEMPORARY_FILE = `
  SELECT set_config('work_mem', '64', true);
  SELECT count(*) FROM generate_series(1, 10000)`;

/** Ends an abandoned statement. While the server waits for its standby, it does not notice a lost connection. */
const END_STUCK = `
  SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = $1 AND application_name = '${APPLICATION}'`;

/**
 * Checks whether the database can store a gift now: it answers, is neither in recovery nor read-only, has disk space
 * and commits. It uses a connection of its own, so that it is independent of the pool for requests, and unauthenticated
 * callers of readiness cannot use up that pool.
 */
@Injectable()
export class DatabaseReadiness implements OnModuleDestroy {
  private session: Client | undefined;
  /** The server process behind the session. */
  private pid: number | undefined;
  private stuckPid: number | undefined;
  private running: Promise<readonly string[]> | undefined;
  private openedAt = -Infinity;

  constructor(@Inject(CONNECTION) private readonly connection: Connection) {}

  /** The pending migrations. Rejects, after two seconds at most, when the database cannot store a gift now. */
  async pendingMigrations(): Promise<readonly string[]> {
    // Waits for a running check instead of starting another one, which would occupy another process of the server.
    const probe = (this.running ??= this.check().finally(() => (this.running = undefined)));
    // It may fail after the time limit below.
    probe.catch(() => undefined);
    return withinTime(CHECK_LIMIT_MS, () => probe);
  }

  async onModuleDestroy(): Promise<void> {
    await this.session?.end();
  }

  private async check(): Promise<readonly string[]> {
    const isKnown = this.session !== undefined;
    try {
      return await this.checkOnce();
    } catch (error) {
      this.closeSession(error);
      if (!isKnown || isAnswerTimeout(error)) throw error;
    }
    // The old connection may have been lost since the last check, so only the result on a new one counts.
    try {
      return await this.checkOnce();
    } catch (error) {
      this.closeSession(error);
      throw error;
    }
  }

  private async checkOnce(): Promise<readonly string[]> {
    const known = performance.now() - this.openedAt > NEW_SESSION_EVERY_MS ? undefined : this.session;
    const session = known ?? (await this.openNewSession());
    const facts = assertUsable((await session.query<SessionFacts>(SELECT_FACTS)).rows[0], true);
    if (this.pid !== undefined && this.pid !== facts.pid) throw new SessionNotKeptError(POOLER_ADVICE);
    this.pid = facts.pid;
    if (known === undefined) {
      await ensureBooksEpoch(session);
      await session.query(WRITE_TEMPORARY_FILE);
    }
    const { pending } = await readMigrationStatus(async (sql) => (await session.query<{ name: string }>(sql)).rows);
    await session.query(COMMIT_WITHOUT_CHANGE);
    return pending;
  }

  /** Opens a new session. Keeps the old one if the server has no connection left, because requests have theirs, too. */
  private async openNewSession(): Promise<Client> {
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

  /** Closes the session after an error, so that the next check opens a new one. */
  private closeSession(error: unknown): void {
    if (isAnswerTimeout(error)) this.stuckPid = this.pid;
    void this.session?.end();
    this.session = undefined;
    this.pid = undefined;
    this.openedAt = -Infinity;
  }
}
