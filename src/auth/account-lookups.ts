import { Injectable } from '@nestjs/common';
import {
  AuxiliaryQueries,
  DatabaseClock,
  type prepared,
  Transactions,
  untranslatableCharacter,
} from '../database/index.js';
import { ServiceBusyError } from '../http/index.js';
import { LimitWatch } from '../metrics/index.js';
import { Lane, LaneFullError } from './lane.js';
import { CallTurns } from './turns/index.js';

/**
 * Time limit in milliseconds for reading the account of a call, including the wait for a turn or in a lane. Together
 * with the time limit of transactions (database-time.ts) it limits the duration of a request.
 */
const LOOKUP_LIMIT_MS = 2_000;

/**
 * How many accounts may be read at the same time in one lane, and how many calls may wait. The reads share the connections
 * of AuxiliaryQueries with the counts of failures, so no lane may take them all for long.
 */
const LIMITS = { concurrency: 2, waiting: 250, milliseconds: LOOKUP_LIMIT_MS };

/** One statement that returns exactly one row, also for an unknown account. */
interface AccountLookup {
  readonly statement: ReturnType<typeof prepared>;
  /** The user name that was sent, or undefined if none was. */
  readonly username: string | undefined;
  /** The values of the statement for a user name. */
  readonly valuesOf: (username: string | undefined) => readonly unknown[];
}

/** Reads the accounts of callers: users by their names, tokens and sessions. */
@Injectable()
export class AccountLookups {
  /** Guesses of passwords do not make secrets wait: tokens and sessions, which nobody can guess. */
  private readonly lanes = { passwords: new Lane(LIMITS), secrets: new Lane(LIMITS) };

  constructor(
    private readonly transactions: Transactions,
    private readonly auxiliary: AuxiliaryQueries,
    private readonly turns: CallTurns,
    private readonly clock: DatabaseClock,
    private readonly limits: LimitWatch,
  ) {}

  /**
   * For credentials that this process has verified lately. @param user to whom they belong.
   * @throws TooManyRequestsError if too many calls of this user wait.
   */
  ofKnown<Row extends { readonly database_time: number }>(user: string, lookup: AccountLookup): Promise<Row> {
    return this.turns.lookUp(user, LOOKUP_LIMIT_MS, (left) => this.read<Row>(this.transactions, lookup, left));
  }

  /** For all other credentials, a few at a time. @throws ServiceBusyError if too many wait or its turn does not come in time. */
  async ofUnknown<Row extends { readonly database_time: number }>(
    lane: keyof AccountLookups['lanes'],
    lookup: AccountLookup,
  ): Promise<Row> {
    try {
      return await this.lanes[lane].run((left) => this.read<Row>(this.auxiliary, lookup, left));
    } catch (error) {
      if (!(error instanceof LaneFullError)) throw error;
      this.limits.refused('login_lookups');
      throw new ServiceBusyError('Too many callers log in at the same time. Please repeat the call.', 1);
    }
  }

  private async read<Row extends { readonly database_time: number }>(
    database: AuxiliaryQueries | Transactions,
    { statement, username, valuesOf }: AccountLookup,
    limit: number,
  ): Promise<Row> {
    const select = (name: string | undefined): Promise<Row[]> => database.query<Row>(statement, valuesOf(name), limit);
    const askedAt = performance.now();
    const [row] = await select(username).catch((error: unknown) => {
      // The database's encoding cannot represent this name, so there is no such user. The empty name is read instead,
      // which no user has either, so that the look-ups are the same.
      if (untranslatableCharacter(error) !== undefined) return select('');
      throw error;
    });
    if (row === undefined) throw new Error('A LEFT JOIN from one row gave none');
    this.clock.applyReading(row.database_time, askedAt);
    return row;
  }
}
