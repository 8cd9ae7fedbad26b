import { availableParallelism } from 'node:os';
import { Injectable } from '@nestjs/common';
import pLimit from 'p-limit';
import { ServiceBusyError } from '../http/index.js';
import { Metrics } from '../metrics/index.js';
import { verifyPassword } from './password.js';

/** A check keeps a core busy for some 30 ms. One core is left to serve callers whose password is known to be right. */
const AT_ONCE = Math.max(1, Math.min(availableParallelism() - 1, 3));
/** What is done in about a second: who would wait longer is told at once to come again. */
const WAITING = 30 * AT_ONCE;
const RETRY_AFTER_SECONDS = 1;

/**
 * Checks passwords against argon2id hashes, few at a time. Each costs much by design, so that a flood of wrong ones
 * would otherwise take all of the processor from everybody.
 */
@Injectable()
export class PasswordChecks {
  private readonly limit = pLimit(AT_ONCE);
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

  /** @throws ServiceBusyError when too many wait already. */
  assertRoom(): void {
    if (this.limit.pendingCount < WAITING) return;
    throw new ServiceBusyError('Too many passwords are being checked. Please repeat the call.', RETRY_AFTER_SECONDS);
  }

  /** True when the password is the one that was hashed. @throws ServiceBusyError */
  async verify(passwordHash: string, password: string): Promise<boolean> {
    this.assertRoom();
    return this.limit(async () => {
      const stop = this.seconds.startTimer();
      try {
        return await verifyPassword(passwordHash, password);
      } finally {
        stop();
      }
    });
  }
}
