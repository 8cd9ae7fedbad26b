import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Credentials } from '../basic-credentials.js';
import { digestOf, SharedVerifications } from './shared-verifications.js';

const MAX_ENTRIES = 10_000;
const MAX_AGE_MS = 5 * 60 * 1000;
/** How often those who keep calling are noted anew for the other processes. */
const SHARE_AGAIN_MS = 60 * 1000;

interface Verified {
  /** The stored hash against which they were right. */
  readonly passwordHash: string;
  /** When the other processes were last told, as of performance.now(). */
  readonly told: number;
}

/**
 * Remembers which credentials were right, so that a caller pays for argon2id once and not with every gift, until it has
 * not called for five minutes. Only successes are kept. Whether the user is active and what it may do is read from the
 * database on every request all the same. Credentials go by their proof, a keyed digest.
 */
@Injectable()
export class VerifiedCredentials {
  private readonly verified = new LRUCache<string, Verified>({
    max: MAX_ENTRIES,
    ttl: MAX_AGE_MS,
    // Somebody who calls all the time never needs another check, which a flood of wrong passwords could refuse.
    updateAgeOnGet: true,
  });
  private readonly underWay = new Map<string, Promise<boolean>>();

  constructor(private readonly shared: SharedVerifications) {}

  proof(credentials: Credentials): Buffer {
    return this.shared.proof(credentials);
  }

  /** True when this process has verified them in the last minutes, against whatever hash was stored then. */
  isFamiliar(proof: Buffer): boolean {
    return this.verified.has(keyOf(proof));
  }

  /** True when they were verified against this hash in the last minutes, here or, as the database tells, `byAny` process. */
  async has(proof: Buffer, passwordHash: string, byAny: boolean): Promise<boolean> {
    const known = this.verified.get(keyOf(proof));
    const here = known?.passwordHash === passwordHash;
    if (!here && !byAny) return false;
    if (!here || performance.now() - known.told > SHARE_AGAIN_MS) await this.remember(proof, passwordHash);
    return true;
  }

  /**
   * What `check` finds of these credentials, remembered if they are right. Equal ones that come together from one
   * address are checked once: a processor that begins with many calls at once asks one question, not many.
   */
  async verify(proof: Buffer, passwordHash: string, address: string, check: () => Promise<boolean>): Promise<boolean> {
    const question = `${keyOf(proof)} ${passwordHash} ${address}`;
    let answer = this.underWay.get(question);
    if (answer === undefined) {
      answer = this.rememberIfRight(proof, passwordHash, check()).finally(() => this.underWay.delete(question));
      this.underWay.set(question, answer);
    }
    return answer;
  }

  private async rememberIfRight(proof: Buffer, passwordHash: string, check: Promise<boolean>): Promise<boolean> {
    const right = await check;
    if (right) await this.remember(proof, passwordHash);
    return right;
  }

  private async remember(proof: Buffer, passwordHash: string): Promise<void> {
    this.verified.set(keyOf(proof), { passwordHash, told: performance.now() });
    await this.shared.add(digestOf(proof, passwordHash), MAX_AGE_MS / 1000);
  }
}

function keyOf(bytes: Buffer): string {
  return bytes.toString('base64');
}
