import { createHash } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Configuration } from '../../config/index.js';
import { AuxiliaryQueries, DATABASE_TIME, isDatabaseUnavailable, prepared } from '../../database/index.js';
import { ServiceBusyError } from '../../http/index.js';
import { LimitWatch } from '../../metrics/index.js';
import { TooManyRequestsError } from '../errors.js';
import { Lane, LaneFullError } from '../lane.js';
import type { LaneName } from './password-checks.js';

/** How long a failure counts, from the first one on, in milliseconds. */
const WINDOW_MS = 60_000;

/** How often this process deletes expired rows, in milliseconds. */
const PURGE_EVERY_MS = 5 * 60_000;

/** How many refused names and networks this process remembers, each for a minute at most. */
const MAX_REFUSED = 10_000;

/** One at a time: counts of the same name would wait for each other's row, and keep the connections of look-ups. */
const WRITES = { concurrency: 1, waiting: 100, milliseconds: 2_000 };

const NOW = `${DATABASE_TIME}::bigint`;

/**
 * Counts one failure. A count ends by the database's clock, at most a minute from now. This also holds if its row was
 * written before that clock was set back, or by an earlier release, which used its own clock.
 */
const COUNT = prepared(`
  INSERT INTO login_failure AS earlier (key, points, expire) VALUES ($1, 1, ${NOW} + ${WINDOW_MS})
  ON CONFLICT ON CONSTRAINT login_failure_pkey DO UPDATE SET
    points = CASE WHEN earlier.expire > ${NOW} THEN earlier.points + 1 ELSE 1 END,
    expire = CASE WHEN earlier.expire > ${NOW} THEN least(earlier.expire, excluded.expire) ELSE excluded.expire END
  RETURNING points, (expire - ${NOW})::float8 AS left_ms`);

const UNCOUNT = prepared(`
  UPDATE login_failure SET points = points - 1 WHERE key = $1 AND points > 0 AND expire > ${NOW} RETURNING points`);

/** Skips rows in which another session is counting. */
const PURGE = prepared(`
  DELETE FROM login_failure WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM login_failure WHERE expire < ${NOW} FOR UPDATE SKIP LOCKED))`);

/** A try to log in. */
interface LoginAttempt {
  readonly username: string;
  /** The caller's network (clientNetwork), or undefined if its address is invalid. */
  readonly network: string | undefined;
}

/**
 * Counts the wrong passwords of each user name and network per minute, in the database and by its clock, so that all
 * replicas share the count. A caller who was verified in the last minutes needs no check, and so is never refused.
 */
@Injectable()
export class LoginFailures {
  private readonly logger = new Logger('Login');
  private readonly limit: number;
  /**
   * Refused by this process without another write until the minute is over, by the monotonic clock: a flood costs less.
   */
  private readonly refused = new LRUCache<string, true>({ max: MAX_REFUSED });
  /** Unknown tokens, by name and network: how many this process has counted in a minute. */
  private readonly unknownTokens = new LRUCache<string, number>({
    max: MAX_REFUSED,
    ttl: WINDOW_MS,
    noUpdateTTL: true,
  });
  /** A flood from new networks does not delay the counts of users who call from where they have logged in before. */
  private readonly writing: Readonly<Record<LaneName, Lane>> = { known: new Lane(WRITES), new: new Lane(WRITES) };
  private purgedAt = performance.now();

  constructor(
    configuration: Configuration,
    private readonly queries: AuxiliaryQueries,
    private readonly limits: LimitWatch,
  ) {
    this.limit = configuration.loginFailuresPerMinute;
  }

  /**
   * Counts one wrong password, or a token that is no longer valid. @param known whether there is such a user.
   * @throws TooManyRequestsError when this name from this network has too many failures.
   * @throws ServiceBusyError when too many failures are being counted.
   */
  async add(attempt: LoginAttempt, { lane, known }: { lane: LaneName; known: boolean }): Promise<void> {
    const key = digest(attempt);
    this.assertNotRefused(key);
    const { points, left_ms: left } = await this.count(key, lane);
    if (points <= this.limit) return;
    // Only the first refusal on all replicas is logged, so that a flood does not fill the log.
    throw this.refuse(key, attempt, { left, log: points === this.limit + 1, known });
  }

  /**
   * Counts an unknown token, in this process only: nobody can guess a token, so a write for each would only help a flood.
   * The same is done for known and unknown names, so that neither answer nor time shows which names exist.
   * @throws TooManyRequestsError as {@link add}.
   */
  addUnknownToken(attempt: LoginAttempt, known: boolean): void {
    const key = digest(attempt);
    this.assertNotRefused(key);
    const points = (this.unknownTokens.get(key) ?? 0) + 1;
    this.unknownTokens.set(key, points);
    if (points > this.limit) {
      throw this.refuse(key, attempt, { left: this.unknownTokens.getRemainingTTL(key), log: true, known });
    }
  }

  /** Undoes {@link add}, because the password was right or could not be checked. */
  async remove(attempt: LoginAttempt, lane: LaneName): Promise<void> {
    const key = digest(attempt);
    // Each one follows an attempt that was not refused, so there are not more of them.
    const write = (): Promise<{ points: number }[]> => this.queries.query(UNCOUNT, [key]);
    const [row] = await this.writing[lane].runWithoutLimit(write);
    // Other attempts are allowed again.
    if (row === undefined || row.points <= this.limit) this.refused.delete(key);
  }

  private assertNotRefused(key: string): void {
    const wait = this.refused.getRemainingTTL(key);
    if (wait > 0) throw this.tooMany(wait);
  }

  private refuse(
    key: string,
    { username, network }: LoginAttempt,
    { left, log, known }: { left: number; log: boolean; known: boolean },
  ): TooManyRequestsError {
    this.refused.set(key, true, { ttl: Math.max(1, Math.ceil(left)) });
    if (log) this.warn(known ? username : undefined, network);
    return this.tooMany(left);
  }

  private async count(key: string, lane: LaneName): Promise<{ points: number; left_ms: number }> {
    const [row] = await this.writing[lane]
      .run((left) => this.queries.query<{ points: number; left_ms: number }>(COUNT, [key], left))
      .catch((error: unknown) => {
        throw error instanceof LaneFullError ? this.busy() : error;
      });
    if (row === undefined) throw new Error('INSERT … ON CONFLICT DO UPDATE returned no row');
    await this.purge();
    return row;
  }

  private async purge(): Promise<void> {
    if (performance.now() - this.purgedAt < PURGE_EVERY_MS) return;
    this.purgedAt = performance.now();
    try {
      await this.queries.query(PURGE);
    } catch (error) {
      // The failure is counted. The next purge deletes the rows.
      if (!isDatabaseUnavailable(error)) throw error;
    }
  }

  private busy(): ServiceBusyError {
    this.limits.refused('login_counts');
    return new ServiceBusyError('Too many failed logins are being counted. Please repeat the call.', 1);
  }

  private tooMany(milliseconds: number): TooManyRequestsError {
    this.limits.count('failed_logins');
    const seconds = Math.max(1, Math.ceil(milliseconds / 1000));
    return new TooManyRequestsError(`Too many failed logins. Try again in ${seconds} seconds.`, seconds);
  }

  /** Logs no unknown name, because people type passwords there, and no invalid address, which may be any text. */
  private warn(username: string | undefined, network: string | undefined): void {
    const name = username === undefined ? 'an unknown user' : `user ${username}`;
    const from = network ?? 'an invalid address';
    this.logger.warn(`Too many failed logins as ${name} from ${from}: more are refused for up to a minute`);
  }
}

/** A key of fixed length that does not show which names were tried. */
function digest({ username, network }: LoginAttempt): string {
  return createHash('sha256')
    .update(JSON.stringify([username, network ?? '']))
    .digest('base64url');
}
