import { Injectable } from '@nestjs/common';
import { DatabaseReadiness } from '../database/index.js';
import { MigrationsPendingError } from './errors.js';

/** How long a result is reused, in milliseconds. */
const FRESH_MS = 1_000;

interface Check {
  readonly startedAt: number;
  readonly result: Promise<void>;
  isDone: boolean;
}

/** Checks readiness at most once a second, however many callers ask. */
@Injectable()
export class Readiness {
  private check: Check | undefined;

  constructor(private readonly database: DatabaseReadiness) {}

  /** The result of the check that is running, or of one that began less than a second ago. Rejects when it failed. */
  latest(): Promise<void> {
    const isOld = this.check?.isDone !== false && performance.now() - (this.check?.startedAt ?? -Infinity) >= FRESH_MS;
    if (this.check === undefined || isOld) this.check = this.begin();
    return this.check.result;
  }

  private begin(): Check {
    const check: Check = { startedAt: performance.now(), result: this.examine(), isDone: false };
    const done = (): void => void (check.isDone = true);
    check.result.then(done, done);
    return check;
  }

  private async examine(): Promise<void> {
    const pending = await this.database.pendingMigrations();
    if (pending.length > 0) throw new MigrationsPendingError(pending.length);
  }
}
