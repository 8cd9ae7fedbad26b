import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
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
  private readonly limiter: RateLimiterPostgres;

  constructor(configuration: Configuration, transactions: Transactions) {
    this.limiter = new RateLimiterPostgres({
      storeClient: asPool(transactions),
      storeType: 'pool',
      tableName: 'login_failure',
      tableCreated: true,
      keyPrefix: '',
      points: configuration.loginFailuresPerMinute,
      duration: 60,
    });
  }

  /** Notes one wrong password. @throws TooManyRequestsError when this name from this address has used up its failures. */
  async add(username: string, address: string): Promise<void> {
    try {
      await this.limiter.consume(digest(username, address));
    } catch (error) {
      throw error instanceof RateLimiterRes ? tooMany(error) : error;
    }
  }

  /** The password was right after all. */
  async takeBack(username: string, address: string): Promise<void> {
    await this.limiter.reward(digest(username, address));
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
