import { Injectable, Logger, OnModuleDestroy } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import { AuditTrail } from '../../../audit/index.js';
import { describeError, Transactions } from '../../../database/index.js';
import { AppUser } from '../../users/app-user.entity.js';
import { SESSION_ACTIONS } from '../audit-actions.js';

/** One entry in this time for each user and network, in milliseconds, so that guesses do not fill the audit trail. */
const INTERVAL_MS = 60_000;
const MAX_REMEMBERED = 10_000;
/** How many refusals may wait to be recorded. */
const MAX_WAITING = 100;
const LIMIT_MS = 1_000;

/**
 * Records refused logins to the console in the audit trail. Only those of existing users, because people type passwords
 * into the field of the name. The login does not wait for it, so its time does not show which names exist.
 */
@Injectable()
export class RefusedLogins implements OnModuleDestroy {
  private readonly logger = new Logger('Login');
  private readonly recorded = new LRUCache<string, true>({ max: MAX_REMEMBERED, ttl: INTERVAL_MS });
  private readonly oneAtATime = pLimit(1);
  private ended = false;

  constructor(
    private readonly transactions: Transactions,
    private readonly audit: AuditTrail,
  ) {}

  /** Begins to record it. @param network of the caller; undefined if its address is invalid. */
  record(username: string, network: string | undefined): void {
    const key = JSON.stringify([username, network]);
    if (this.ended || this.recorded.has(key) || this.oneAtATime.pendingCount >= MAX_WAITING) return;
    this.recorded.set(key, true);
    void this.oneAtATime(() => this.write(username, network)).catch((error: unknown) => {
      this.recorded.delete(key);
      this.logger.warn(`A refused login is missing in the audit trail: ${describeError(error)}`);
    });
  }

  /** Waits for what is under way, because it needs the database. */
  async onModuleDestroy(): Promise<void> {
    this.ended = true;
    await this.oneAtATime(() => Promise.resolve());
  }

  private async write(username: string, network: string | undefined): Promise<void> {
    await this.transactions.run(async (tx) => {
      if (!(await tx.existsBy(AppUser, { username }))) return;
      await this.audit.record(tx, {
        action: SESSION_ACTIONS.refused,
        subject: `user ${username}`,
        details: network === undefined ? {} : { from: network },
      });
    }, LIMIT_MS);
  }
}
