import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import { Injectable, Logger } from '@nestjs/common';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { Configuration } from '../config/index.js';
import { Transactions } from '../database/index.js';
import { TooManyRequestsError } from '../http/index.js';

/**
 * Counts wrong passwords a minute for each user name and address, in the database, so that all replicas share the
 * count. Asked only when a password has to be checked: whoever was verified in the last minutes is never refused.
 */
@Injectable()
export class LoginFailures {
  private readonly logger = new Logger('Login');
  private readonly limiter: RateLimiterPostgres;

  constructor(configuration: Configuration, transactions: Transactions) {
    const points = configuration.loginFailuresPerMinute;
    this.limiter = new RateLimiterPostgres({
      storeClient: asPool(transactions),
      storeType: 'pool',
      tableName: 'login_failure',
      tableCreated: true,
      keyPrefix: '',
      points,
      duration: 60,
      // This process refuses who has used them up without another write until the minute is over: a flood costs less.
      inMemoryBlockOnConsumed: points + 1,
    });
  }

  /**
   * Notes one wrong password; `known` tells whether there is such a user.
   * @throws TooManyRequestsError when this name from this address has used up its failures.
   */
  async add(username: string, address: string, known: boolean): Promise<void> {
    try {
      await this.limiter.consume(digest(username, address));
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      // The first that is refused, on whichever replica: a flood does not fill the log.
      if (error.consumedPoints === this.limiter.points + 1) this.warn(known ? username : undefined, address);
      throw tooMany(error);
    }
  }

  /** A name that is no user's is not told: people type passwords there. Nor is an address that a caller made up. */
  private warn(username: string | undefined, address: string): void {
    const name = username === undefined ? 'a name that is no user’s' : `user ${username}`;
    const from = isIP(address) === 0 ? 'an address that is none' : address;
    this.logger.warn(`Too many failed logins as ${name} from ${from}: more are refused for up to a minute`);
  }

  /** The password was right after all. */
  async takeBack(username: string, address: string): Promise<void> {
    const { consumedPoints } = await this.limiter.reward(digest(username, address));
    // There is room again. The library forgets all of them or none; the others are asked for in the database once more.
    if (consumedPoints <= this.limiter.points) this.limiter.deleteInMemoryBlockedAll();
  }
}

/** What the limiter needs of a pool: its statements count against the request's time like all others. */
function asPool(transactions: Transactions): object {
  return {
    query: async ({ text, values }: { text: string; values: unknown[] }) => {
      const rows = await transactions.query(text, values);
      return { rows, rowCount: rows.length };
    },
  };
}

function tooMany(state: RateLimiterRes): TooManyRequestsError {
  const seconds = Math.max(1, Math.ceil(state.msBeforeNext / 1000));
  return new TooManyRequestsError(`Too many failed logins. Try again in ${seconds} seconds.`, seconds);
}

/** Fixed in length, and no record of which names were tried. */
function digest(username: string, address: string): string {
  return createHash('sha256')
    .update(JSON.stringify([username, address]))
    .digest('base64url');
}
