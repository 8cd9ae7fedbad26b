import { availableParallelism } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import pLimit from 'p-limit';
import { ServiceBusyError } from '../../http/index.js';
import { Metrics } from '../../metrics/index.js';
import { HashingBudget } from './hashing-budget.js';
import { verifyPassword } from './password.js';

/** A check keeps a core busy for about 30 ms. One core is left for callers whose password is already verified. */
const MAX_CONCURRENT = Math.max(1, Math.min(availableParallelism() - 1, 3));
/** A check that would wait longer is refused; in milliseconds. */
const MAX_WAIT_MS = 2_000;
const RETRY_AFTER_SECONDS = 1;

/** A password to check. */
export interface PasswordCheck {
  readonly passwordHash: string;
  readonly password: string;
  /** The caller's IP address. */
  readonly address: string;
}

/**
 * Checks passwords against argon2id hashes, few at a time and within a budget. Each check is expensive by design, so a
 * flood of wrong passwords would use the whole processor. One address may use at most half of the capacity.
 */
@Injectable()
export class PasswordChecks {
  private readonly limit = pLimit(MAX_CONCURRENT);
  private readonly budget = new HashingBudget();
  /** How many checks wait or run, by address. */
  private readonly underWay = new Map<string, number>();
  private readonly seconds;

  constructor(metrics: Metrics) {
    this.seconds = metrics.histogram(
      'offertory_password_check_seconds',
      'Duration of password checks, without their wait',
      {
        buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1],
      },
    );
    metrics.gauges(
      'password checks',
      { offertory_password_checks_waiting: { help: 'Password checks that wait' } },
      () => ({ offertory_password_checks_waiting: [{ value: this.limit.pendingCount }] }),
    );
  }

  /** @throws ServiceBusyError when too many checks wait already, or half as many from this address. */
  assertCapacity(address: string): void {
    const capacity = this.budget.checksWithin(MAX_WAIT_MS);
    const waiting = this.limit.pendingCount + this.limit.activeCount;
    if (waiting >= capacity || (this.underWay.get(address) ?? 0) >= Math.ceil(capacity / 2)) throw busy();
  }

  /** True when the password matches the hash. @throws ServiceBusyError */
  async verify({ passwordHash, password, address }: PasswordCheck): Promise<boolean> {
    this.assertCapacity(address);
    this.underWay.set(address, (this.underWay.get(address) ?? 0) + 1);
    const latest = performance.now() + MAX_WAIT_MS;
    try {
      return await this.limit(async () => {
        const wait = this.budget.waitMs();
        // Earlier checks took longer than expected.
        if (performance.now() + wait > latest) throw busy();
        if (wait > 0) await pause(wait);
        return this.measured(() => verifyPassword({ passwordHash, password }));
      });
    } finally {
      this.leave(address);
    }
  }

  private async measured(check: () => Promise<boolean>): Promise<boolean> {
    const stop = this.seconds.startTimer();
    try {
      return await check();
    } finally {
      this.budget.spend(stop() * 1_000);
    }
  }

  private leave(address: string): void {
    const left = (this.underWay.get(address) ?? 1) - 1;
    if (left > 0) this.underWay.set(address, left);
    else this.underWay.delete(address);
  }
}

function busy(): ServiceBusyError {
  return new ServiceBusyError('Too many passwords are being checked. Please repeat the call.', RETRY_AFTER_SECONDS);
}
