import { createHmac, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { PasswordChecks } from './password-checks.js';
import type { Credentials } from './basic-credentials.js';

const MAX_ENTRIES = 10_000;
const MAX_AGE_MS = 5 * 60 * 1000;

/**
 * Remembers which credentials were right, so that a caller pays for argon2id once and not with every gift, until it has
 * not called for five minutes. Only successes are kept, as a keyed digest over user, password and stored hash: a changed password is another
 * entry, and the key dies with the process. Whether the user is active and what it may do is read from the database
 * on every request all the same.
 */
@Injectable()
export class VerifiedCredentials {
  private readonly key = randomBytes(32);
  private readonly verified = new LRUCache<string, true>({
    max: MAX_ENTRIES,
    ttl: MAX_AGE_MS,
    // Somebody who calls all the time never needs another check, which a flood of wrong passwords could refuse.
    updateAgeOnGet: true,
  });
  private readonly underWay = new Map<string, Promise<boolean>>();

  constructor(private readonly checks: PasswordChecks) {}

  /** True when these credentials were verified against this hash in the last minutes. */
  has(credentials: Credentials, passwordHash: string): boolean {
    return this.verified.get(this.digest(credentials, passwordHash)) === true;
  }

  /**
   * Verifies the password against the hash; equal questions that come together are answered by one check.
   * @throws ServiceBusyError
   */
  async verify(credentials: Credentials, passwordHash: string): Promise<boolean> {
    const digest = this.digest(credentials, passwordHash);
    let check = this.underWay.get(digest);
    if (check === undefined) {
      check = this.checks.verify(passwordHash, credentials.password).finally(() => this.underWay.delete(digest));
      this.underWay.set(digest, check);
    }
    const right = await check;
    if (right) this.verified.set(digest, true);
    return right;
  }

  private digest({ username, password }: Credentials, passwordHash: string): string {
    // As JSON the three cannot run into each other.
    return createHmac('sha256', this.key)
      .update(JSON.stringify([username, password, passwordHash]))
      .digest('base64');
  }
}
