import { Injectable } from '@nestjs/common';
import { Configuration } from '../../config/index.js';
import { DatabaseTimeExceededError } from '../../database/index.js';
import { LimitWatch, Metrics } from '../../metrics/index.js';
import { TooManyRequestsError } from '../errors.js';
import { MIN_STATEMENT_MS } from '../lane.js';
import { type EndTurn, Turns } from './turns.js';

/** How many calls of one user may wait for their turn, for each connection of the pool: 250 by default. */
const WAITING_PER_CONNECTION = 25;
/** How long a call waits for its turn while no other call of the user succeeds, in milliseconds. */
const MAX_WAIT_MS = 3_000;
/**
 * How long a call waits for its turn in any case, in milliseconds. With the time limit of a transaction it stays below
 * 30 seconds, after which many HTTP clients give up. A hundred gifts of one giver wait for each other's commits, and
 * need more than ten seconds where the disk takes 100 ms for each.
 */
const MAX_TOTAL_WAIT_MS = 20_000;
const RETRY_AFTER_SECONDS = 1;

/** What a call does: lists, reads and dry runs only read. */
export type CallKind = 'reading' | 'writing';

/** The turns of one user. */
interface UserTurns {
  readonly lookUp: Turns;
  readonly writing: Turns;
  readonly reading: Turns;
}

/**
 * Shares the connections of the database among the callers. One user's calls cannot take all of them, and reading calls
 * can take half at most, so that another processor's gift finds a connection at once. Calls beyond that wait for their
 * turn, in the order of their arrival.
 *
 * Of 10 connections (DATABASE_POOL_SIZE) one user gets 5 for writing, 2 for reading, and 2 for looking up its account;
 * all users together get 5 for reading.
 */
@Injectable()
export class CallTurns {
  private readonly users = new Map<string, UserTurns>();
  private readonly allReading: Turns;
  private readonly size: number;

  constructor(
    configuration: Configuration,
    metrics: Metrics,
    private readonly limits: LimitWatch,
  ) {
    this.size = configuration.database.poolSize;
    this.allReading = new Turns(atLeastOne(this.size / 2));
    metrics.gauges('call turns', { offertory_calls_waiting: { help: 'Calls that wait for their turn' } }, () => ({
      offertory_calls_waiting: [{ value: this.waiting() }],
    }));
  }

  /** Reads the account of an existing user for a call, in its turn. @param limit in milliseconds, with the wait. */
  async lookUp<T>(username: string, limit: number, read: (left: number) => Promise<T>): Promise<T> {
    const begin = performance.now();
    const wait = limit - MIN_STATEMENT_MS;
    const end = await this.takeOf(username, 'lookUp', wait, begin + wait);
    let succeeded = false;
    try {
      const found = await read(limit - (performance.now() - begin));
      succeeded = true;
      return found;
    } finally {
      end(succeeded);
    }
  }

  /**
   * Waits for the turn of a call. The caller of this function must end it.
   * @throws TooManyRequestsError if too many calls of this user wait already.
   * @throws DatabaseTimeExceededError if the turn does not come in time, as for a connection that is not free in time.
   */
  async take(username: string, kind: CallKind): Promise<EndTurn> {
    const latest = performance.now() + MAX_TOTAL_WAIT_MS;
    const end = await this.takeOf(username, kind, MAX_WAIT_MS, latest);
    if (kind === 'writing') return end;
    const endReading = await this.allReading.take(MAX_WAIT_MS, latest);
    if (endReading === undefined) {
      end(false);
      this.limits.refused('reading_wait');
      throw new DatabaseTimeExceededError();
    }
    return (succeeded) => {
      endReading(succeeded);
      end(succeeded);
    };
  }

  private async takeOf(
    username: string,
    kind: keyof UserTurns,
    milliseconds: number,
    latest: number,
  ): Promise<EndTurn> {
    const turns = this.of(username)[kind];
    if (turns.waiting >= WAITING_PER_CONNECTION * this.size) {
      this.limits.refused('user_calls', `user ${username}`);
      throw new TooManyRequestsError(
        'Too many calls of this user at the same time. Please repeat the call.',
        RETRY_AFTER_SECONDS,
      );
    }
    const end = await turns.take(milliseconds, latest);
    if (end !== undefined) return end;
    this.limits.refused('user_wait', `user ${username}`);
    throw new DatabaseTimeExceededError();
  }

  private of(username: string): UserTurns {
    let turns = this.users.get(username);
    if (turns === undefined) {
      turns = {
        lookUp: new Turns(atLeastOne(this.size / 5)),
        writing: new Turns(atLeastOne(this.size / 2)),
        reading: new Turns(atLeastOne(this.size / 5)),
      };
      this.users.set(username, turns);
    }
    return turns;
  }

  private waiting(): number {
    const all = [this.allReading, ...[...this.users.values()].flatMap((turns) => Object.values<Turns>({ ...turns }))];
    return all.reduce((sum, { waiting }) => sum + waiting, 0);
  }
}

function atLeastOne(count: number): number {
  return Math.max(1, Math.floor(count));
}
