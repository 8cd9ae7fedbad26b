import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Credentials } from './basic-credentials.js';
import { SharedVerifications } from './shared-verifications.js';

const MAX_ENTRIES = 10_000;
const MAX_AGE_MS = 5 * 60 * 1000;
/** How often those who keep calling are noted anew for the other processes. */
const SHARE_AGAIN_MS = 60 * 1000;

/**
 * Remembers which credentials were right, so that a caller pays for argon2id once and not with every gift, until it has
 * not called for five minutes. Only successes are kept. Whether the user is active and what it may do is read from the
 * database on every request all the same.
 */
@Injectable()
export class VerifiedCredentials {
  /** By digest: when the other processes were last told, in milliseconds. */
  private readonly verified = new LRUCache<string, number>({
    max: MAX_ENTRIES,
    ttl: MAX_AGE_MS,
    // Somebody who calls all the time never needs another check, which a flood of wrong passwords could refuse.
    updateAgeOnGet: true,
  });
  private readonly underWay = new Map<string, Promise<boolean>>();

  constructor(private readonly shared: SharedVerifications) {}

  /** True when these credentials were verified against this hash in the last minutes, here or by another process. */
  async has(credentials: Credentials, passwordHash: string): Promise<boolean> {
    const digest = this.shared.digest(credentials, passwordHash);
    const told = this.verified.get(digest.toString('base64'));
    if (told === undefined && !(await this.shared.has(digest))) return false;
    if (told === undefined || Date.now() - told > SHARE_AGAIN_MS) await this.remember(digest);
    return true;
  }

  /**
   * What `check` finds of these credentials, remembered if they are right. Equal ones that come together from one
   * address are checked once: a processor that begins with many calls at once asks one question, not many.
   */
  async verify(
    credentials: Credentials,
    passwordHash: string,
    address: string,
    check: () => Promise<boolean>,
  ): Promise<boolean> {
    const digest = this.shared.digest(credentials, passwordHash);
    const question = `${digest.toString('base64')} ${address}`;
    let answer = this.underWay.get(question);
    if (answer === undefined) {
      answer = this.rememberIfRight(digest, check()).finally(() => this.underWay.delete(question));
      this.underWay.set(question, answer);
    }
    return answer;
  }

  private async rememberIfRight(digest: Buffer, check: Promise<boolean>): Promise<boolean> {
    const right = await check;
    if (right) await this.remember(digest);
    return right;
  }

  private async remember(digest: Buffer): Promise<void> {
    this.verified.set(digest.toString('base64'), Date.now());
    await this.shared.add(digest, MAX_AGE_MS / 1000);
  }
}
