import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import { Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Configuration } from '../../config/index.js';
import { DATABASE_TIME, isDatabaseUnavailable, prepared, Transactions } from '../../database/index.js';
import { TooManyRequestsError } from '../errors.js';

/** How long a failure counts, from the first one on, in milliseconds. */
const WINDOW_MS = 60_000;

/** How often this process deletes what has expired, in milliseconds. */
const PURGE_EVERY_MS = 5 * 60_000;

/** How many names and addresses this process remembers as refused; each counts for a minute at most. */
const MOST_REFUSED = 10_000;

const NOW = `${DATABASE_TIME}::bigint`;

/**
 * Counts one failure. A count ends by the database's clock, and never later than a minute from now: not even where its
 * row was written before that clock was set back, or by an earlier release, which went by its own clock.
 */
const COUNT = prepared(`
  INSERT INTO login_failure AS earlier (key, points, expire) VALUES ($1, 1, ${NOW} + ${WINDOW_MS})
  ON CONFLICT ON CONSTRAINT login_failure_pkey DO UPDATE SET
    points = CASE WHEN earlier.expire > ${NOW} THEN earlier.points + 1 ELSE 1 END,
    expire = CASE WHEN earlier.expire > ${NOW} THEN least(earlier.expire, excluded.expire) ELSE excluded.expire END
  RETURNING points, (expire - ${NOW})::float8 AS left_ms`);

const TAKE_BACK = prepared(`
  UPDATE login_failure SET points = points - 1 WHERE key = $1 AND points > 0 AND expire > ${NOW} RETURNING points`);

/** Rows that others are counting in are left to the next time. */
const PURGE = prepared(`
  DELETE FROM login_failure WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM login_failure WHERE expire < ${NOW} FOR UPDATE SKIP LOCKED))`);

/**
 * Counts wrong passwords a minute for each user name and address, in the database and by its clock, so that all replicas
 * share the count. Asked only when a password has to be checked: a caller verified in the last minutes is never refused.
 */
@Injectable()
export class LoginFailures {
  private readonly logger = new Logger('Login');
  private readonly limit: number;
  /**
   * Whom this process refuses without another write until the minute is over: a flood costs less. By the monotonic clock.
   */
  private readonly refused = new LRUCache<string, true>({ max: MOST_REFUSED });
  private purgedAt = performance.now();

  constructor(
    configuration: Configuration,
    private readonly transactions: Transactions,
  ) {
    this.limit = configuration.loginFailuresPerMinute;
  }

  /**
   * Notes one wrong password; `known` tells whether there is such a user.
   * @throws TooManyRequestsError when this name from this address has used up its failures.
   */
  async add(username: string, address: string, known: boolean): Promise<void> {
    const key = digest(username, address);
    const wait = this.refused.getRemainingTTL(key);
    if (wait > 0) throw tooMany(wait);
    const { points, left_ms: left } = await this.count(key);
    if (points <= this.limit) return;
    this.refused.set(key, true, { ttl: Math.max(1, Math.ceil(left)) });
    // The first that is refused, on whichever replica: a flood does not fill the log.
    if (points === this.limit + 1) this.warn(known ? username : undefined, address);
    throw tooMany(left);
  }

  /** The password was right after all. */
  async takeBack(username: string, address: string): Promise<void> {
    const key = digest(username, address);
    const [row] = await this.transactions.query<{ points: number }>(TAKE_BACK, [key]);
    // There is room again.
    if (row === undefined || row.points <= this.limit) this.refused.delete(key);
  }

  private async count(key: string): Promise<{ points: number; left_ms: number }> {
    const [row] = await this.transactions.query<{ points: number; left_ms: number }>(COUNT, [key]);
    if (row === undefined) throw new Error('INSERT … ON CONFLICT DO UPDATE returned no row');
    await this.purge();
    return row;
  }

  private async purge(): Promise<void> {
    if (performance.now() - this.purgedAt < PURGE_EVERY_MS) return;
    this.purgedAt = performance.now();
    try {
      await this.transactions.query(PURGE);
    } catch (error) {
      // The failure is counted; the rows are for the next time.
      if (!isDatabaseUnavailable(error)) throw error;
    }
  }

  /** A name that is no user's is not told: people type passwords there. Nor is an address that a caller made up. */
  private warn(username: string | undefined, address: string): void {
    const name = username === undefined ? 'a name that is no user’s' : `user ${username}`;
    const from = isIP(address) === 0 ? 'an address that is none' : address;
    this.logger.warn(`Too many failed logins as ${name} from ${from}: more are refused for up to a minute`);
  }
}

function tooMany(milliseconds: number): TooManyRequestsError {
  const seconds = Math.max(1, Math.ceil(milliseconds / 1000));
  return new TooManyRequestsError(`Too many failed logins. Try again in ${seconds} seconds.`, seconds);
}

/** Fixed in length, and no record of which names were tried. */
function digest(username: string, address: string): string {
  return createHash('sha256')
    .update(JSON.stringify([username, address]))
    .digest('base64url');
}
