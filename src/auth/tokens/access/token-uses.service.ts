import { Injectable, Logger, OnModuleDestroy } from '@nestjs/common';
import pLimit from 'p-limit';
import { describeError, isDatabaseUnavailable, prepared, Transactions } from '../../../database/index.js';

/** How long a record may take, in milliseconds. A later call records the use again. */
const LIMIT_MS = 1_000;

/** An SQL condition: the last use of the token `t` was not recorded in the last minute. */
export const USE_IS_DUE = `(t.last_used_at BETWEEN now() - interval '1 minute' AND now()) IS NOT TRUE`;

/** Skips a token on which another session works, such as the command that revokes it. */
const RECORD = prepared(`
  UPDATE api_token SET last_used_at = now() WHERE id = (
    SELECT t.id FROM api_token t WHERE t.id = $1 AND ${USE_IS_DUE} FOR NO KEY UPDATE SKIP LOCKED)`);

/**
 * Records when tokens were last used: for each token at most once a minute, beside the call and never in its
 * transaction. It uses at most one connection, and cannot fail a call.
 */
@Injectable()
export class TokenUses implements OnModuleDestroy {
  private readonly logger = new Logger('Login');
  private readonly oneAtATime = pLimit(1);
  private readonly underWay = new Map<number, Promise<void>>();
  private ended = false;

  /** Begins to record that a token is used now. */
  record(tokenId: number): void {
    if (this.ended || this.underWay.has(tokenId)) return;
    const recorded = this.oneAtATime(() => this.write(tokenId)).finally(() => this.underWay.delete(tokenId));
    this.underWay.set(tokenId, recorded);
  }

  /** Waits for what is under way, because it needs the database. */
  async onModuleDestroy(): Promise<void> {
    this.ended = true;
    await Promise.all(this.underWay.values());
  }

  constructor(private readonly transactions: Transactions) {}

  private async write(tokenId: number): Promise<void> {
    try {
      await this.transactions.query(RECORD, [tokenId], LIMIT_MS);
    } catch (error) {
      if (isDatabaseUnavailable(error)) return;
      this.logger.error(`The last use of token ${tokenId} was not recorded: ${describeError(error)}`);
    }
  }
}
