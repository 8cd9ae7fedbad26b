import { availableParallelism } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import pLimit from 'p-limit';
import { ServiceBusyError } from '../../http/index.js';
import { Metrics } from '../../metrics/index.js';
import { CheckBudget } from './check-budget.js';
import { verifyPassword } from './password.js';

/** A check keeps a core busy for some 30 ms. One core is left to serve callers whose password is known to be right. */
const AT_ONCE = Math.max(1, Math.min(availableParallelism() - 1, 3));
/** Who would wait longer is told to come again; in milliseconds. */
const LONGEST_WAIT_MS = 2_000;
const RETRY_AFTER_SECONDS = 1;

/**
 * Checks passwords against argon2id hashes, few at a time and within a budget. Each costs much by design, so that a
 * flood of wrong ones would otherwise take the processor from everybody; and half of the places stay free for others
 * than the address that has taken the first half.
 */
@Injectable()
export class PasswordChecks {
  private readonly limit = pLimit(AT_ONCE);
  private readonly budget = new CheckBudget();
  /** Checks that wait or are under way, by address. */
  private readonly underWay = new Map<string, number>();
  private readonly seconds;

  constructor(metrics: Metrics) {
    this.seconds = metrics.histogram(
      'offertory_password_check_seconds',
      'How long a check of a password took, the wait for its turn aside',
      {
        buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1],
      },
    );
    metrics.gauges(
      'password checks',
      { offertory_password_checks_waiting: { help: 'Passwords that wait for their turn to be checked' } },
      () => ({ offertory_password_checks_waiting: [{ value: this.limit.pendingCount }] }),
    );
  }

  /** @throws ServiceBusyError when too many wait already, or half as many from this address. */
  assertRoom(address: string): void {
    const room = this.budget.checksWithin(LONGEST_WAIT_MS);
    const waiting = this.limit.pendingCount + this.limit.activeCount;
    if (waiting >= room || (this.underWay.get(address) ?? 0) >= Math.ceil(room / 2)) throw busy();
  }

  /** True when the password is the one that was hashed. @throws ServiceBusyError */
  async verify(passwordHash: string, password: string, address: string): Promise<boolean> {
    this.assertRoom(address);
    this.underWay.set(address, (this.underWay.get(address) ?? 0) + 1);
    const latest = performance.now() + LONGEST_WAIT_MS;
    try {
      return await this.limit(async () => {
        const wait = this.budget.wait();
        // Those before it took longer than expected.
        if (performance.now() + wait > latest) throw busy();
        if (wait > 0) await pause(wait);
        return this.measured(() => verifyPassword(passwordHash, password));
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
