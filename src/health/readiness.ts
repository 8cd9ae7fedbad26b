import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { DatabaseReadiness } from '../database/index.js';
import type { ReadyAnswer } from './answers.js';
import { MigrationsPendingError } from './errors.js';
import { HealthWarnings } from './health-warnings.js';

/** How long an answer is reused, in milliseconds. */
const FRESH_MS = 1_000;
/** How long to wait for warnings, in milliseconds. They use the connections of the requests, which may all be busy. */
const WARNINGS_MS = 500;

interface Check {
  readonly startedAt: number;
  readonly answer: Promise<ReadyAnswer>;
  isDone: boolean;
}

/** Checks readiness at most once a second, however many callers ask. */
@Injectable()
export class Readiness {
  private check: Check | undefined;
  private warned: readonly string[] = [];
  private asking: Promise<void> | undefined;

  constructor(
    private readonly database: DatabaseReadiness,
    private readonly warnings: HealthWarnings,
  ) {}

  /** The answer of the check that is running, or of one that began less than a second ago. Rejects when it failed. */
  latest(): Promise<ReadyAnswer> {
    const isOld = this.check?.isDone !== false && performance.now() - (this.check?.startedAt ?? -Infinity) >= FRESH_MS;
    if (this.check === undefined || isOld) this.check = this.begin();
    return this.check.answer;
  }

  private begin(): Check {
    const check: Check = { startedAt: performance.now(), answer: this.examine(), isDone: false };
    const done = (): void => void (check.isDone = true);
    check.answer.then(done, done);
    return check;
  }

  private async examine(): Promise<ReadyAnswer> {
    const pending = await this.database.pendingMigrations();
    if (pending.length > 0) throw new MigrationsPendingError(pending.length);
    const warnings = await this.currentWarnings();
    return { status: 'ok', ...(warnings.length > 0 && { warnings }) };
  }

  /** The current warnings, or the last ones when reading them takes too long. */
  private async currentWarnings(): Promise<readonly string[]> {
    this.asking ??= this.warnings
      .current()
      .then(
        (found) => void (this.warned = found),
        () => undefined,
      )
      .finally(() => (this.asking = undefined));
    await Promise.race([this.asking, sleep(WARNINGS_MS, undefined, { ref: false })]);
    return this.warned;
  }
}
