import { Logger } from '@nestjs/common';
import pLimit from 'p-limit';
import { describeError, isDatabaseUnavailable, type prepared, type Transactions } from '../database/index.js';

/** How long a record may take, in milliseconds. A later call records the use again. */
const LIMIT_MS = 1_000;

/** An SQL condition: the last use in this column was not recorded in the last minute. */
export function isUseDue(column: string): string {
  return `(${column} BETWEEN now() - interval '1 minute' AND now()) IS NOT TRUE`;
}

/**
 * Records when tokens or sessions were last used, beside the call and never in its transaction. It uses at most one
 * connection, and cannot fail a call.
 */
export class RecordedUses {
  private readonly logger = new Logger('Login');
  private readonly oneAtATime = pLimit(1);
  private readonly underWay = new Map<number, Promise<void>>();
  private ended = false;

  /**
   * @param what for the log, such as "token".
   * @param statement records the use now; $1 is the id. It should skip a row on which another session works.
   */
  constructor(
    private readonly transactions: Transactions,
    private readonly what: string,
    private readonly statement: ReturnType<typeof prepared>,
  ) {}

  /** Begins to record that this one is used now. */
  record(id: number): void {
    if (this.ended || this.underWay.has(id)) return;
    const recorded = this.oneAtATime(() => this.write(id)).finally(() => this.underWay.delete(id));
    this.underWay.set(id, recorded);
  }

  /** Records no more, and waits for what is under way, because it needs the database. */
  async end(): Promise<void> {
    this.ended = true;
    await Promise.all(this.underWay.values());
  }

  private async write(id: number): Promise<void> {
    try {
      await this.transactions.query(this.statement, [id], LIMIT_MS);
    } catch (error) {
      if (isDatabaseUnavailable(error)) return;
      this.logger.error(`The last use of ${this.what} ${id} was not recorded: ${describeError(error)}`);
    }
  }
}
