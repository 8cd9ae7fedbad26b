import { Injectable, OnModuleInit } from '@nestjs/common';
import { prepared } from './transactions/prepared-statement.js';
import { Transactions } from './transactions/transactions.js';

/** In SQL: the database's clock at this moment, in milliseconds since 1970. */
export const DATABASE_TIME = '(extract(epoch FROM clock_timestamp()) * 1000)::float8';

/** A reading this old is followed by another one, in milliseconds. */
const READ_AGAIN_MS = 10_000;

const READ = prepared(`SELECT ${DATABASE_TIME} AS time`);

/**
 * What time it is in the database. Replicas whose own clocks are wrong agree on the day of a gift and on every limit,
 * because they all go by this one; `Date.now()` and `new Date()` are for nothing that another process can see.
 *
 * Between two readings it runs on by this process's monotonic clock, so that asking costs no round trip. The login reads
 * the database's clock along with the user, before each call does anything else: a clock that was set, or the other clock
 * of a standby that took over, counts from the next call on.
 */
@Injectable()
export class DatabaseClock implements OnModuleInit {
  /** The database's time less performance.now(), in milliseconds. */
  private offset: number | undefined;
  private readAt = -Infinity;
  private isReading = false;

  constructor(private readonly transactions: Transactions) {}

  async onModuleInit(): Promise<void> {
    await this.read();
  }

  /** The present instant. Nobody waits for the database here: where no call has read its clock lately, that is done beside. */
  now(): Date {
    if (this.offset === undefined) throw new Error("The database's clock has not been read yet");
    if (performance.now() - this.readAt > READ_AGAIN_MS) void this.readAgain();
    return new Date(performance.now() + this.offset);
  }

  /** By how many milliseconds the database's clock is ahead of this machine's, which decides nothing. */
  aheadOfThisMachine(): number {
    // eslint-disable-next-line no-restricted-syntax -- the machine's clock is what is asked for
    return this.now().getTime() - Date.now();
  }

  /**
   * Takes a reading of {@link DATABASE_TIME} that came with an answer just now. The database's clock was read at some
   * moment since `askedAt`, so the reading contradicts what is known only where the two differ by more than that wait.
   * @param askedAt when the statement was given to the pool, as of performance.now().
   */
  noteReading(time: number, askedAt: number): void {
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
    this.noteReading(row.time, askedAt);
  }

  private async readAgain(): Promise<void> {
    if (this.isReading) return;
    this.isReading = true;
    try {
      await this.read();
    } catch {
      // The database is away, or slow: the time that is known runs on, and the next call asks again.
    } finally {
      this.isReading = false;
    }
  }
}
