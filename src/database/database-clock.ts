import { Injectable, OnModuleInit } from '@nestjs/common';
import { prepared } from './transactions/prepared-statement.js';
import { Transactions } from './transactions/transactions.js';

/** SQL for the database's current time, in milliseconds since 1970. */
export const DATABASE_TIME = '(extract(epoch FROM clock_timestamp()) * 1000)::float8';

/** The age at which a reading is renewed, in milliseconds. */
const READ_AGAIN_MS = 10_000;

const READ = prepared(`SELECT ${DATABASE_TIME} AS time`);

/**
 * The database's clock. All replicas use it, so they agree on the day of a gift and on every limit even if their own
 * clocks are wrong. Do not use `Date.now()` and `new Date()` for anything that another process can see.
 *
 * Between two readings it adds the time of this process's monotonic clock, so that `now()` needs no round trip. The
 * login reads the clock together with the user at the beginning of each call. So a clock that was set, or the clock of
 * a standby that took over, is used from the next call on.
 */
@Injectable()
export class DatabaseClock implements OnModuleInit {
  /** The database's time minus performance.now(), in milliseconds. */
  private offset: number | undefined;
  private readAt = -Infinity;
  private isReading = false;

  constructor(private readonly transactions: Transactions) {}

  async onModuleInit(): Promise<void> {
    await this.read();
  }

  /** The current time. Does not wait for the database: without a recent reading it starts one in the background. */
  now(): Date {
    if (this.offset === undefined) throw new Error("The database's clock has not been read yet");
    if (performance.now() - this.readAt > READ_AGAIN_MS) void this.readAgain();
    return new Date(performance.now() + this.offset);
  }

  /** How many milliseconds the database's clock is ahead of this machine's. Informational only. */
  aheadOfThisMachine(): number {
    // eslint-disable-next-line no-restricted-syntax -- compares with the machine's clock
    return this.now().getTime() - Date.now();
  }

  /**
   * Uses a reading of {@link DATABASE_TIME} from an answer that has just arrived. The database read its clock at some
   * moment since `askedAt`, so the known time is only corrected if it differs by more than that wait.
   * @param askedAt when the statement was passed to the pool, by performance.now().
   */
  applyReading(time: number, askedAt: number): void {
    const answeredAt = performance.now();
    const [lowest, highest] = [time - answeredAt, time - askedAt];
    this.readAt = answeredAt;
    if (this.offset !== undefined && this.offset >= lowest && this.offset <= highest) return;
    this.offset = (lowest + highest) / 2;
  }

  private async read(): Promise<void> {
    const askedAt = performance.now();
    const [row] = await this.transactions.query<{ time: number }>(READ);
    if (row === undefined) throw new Error('A SELECT without FROM returned no row');
    this.applyReading(row.time, askedAt);
  }

  private async readAgain(): Promise<void> {
    if (this.isReading) return;
    this.isReading = true;
    try {
      await this.read();
    } catch {
      // The database is unavailable or slow. The known time continues, and the next call tries again.
    } finally {
      this.isReading = false;
    }
  }
}
