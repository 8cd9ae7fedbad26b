import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Credentials } from '../schemes/basic-credentials.js';
import { digestOf, SharedVerifications } from './shared-verifications.js';

const MAX_ENTRIES = 10_000;
const MAX_AGE_MS = 5 * 60 * 1000;
/** How often the verification of a regular caller is renewed in the database. */
const SHARE_EVERY_MS = 60 * 1000;

interface Verified {
  /** The stored hash that the password matched. */
  readonly passwordHash: string;
  /** When the verification was last shared, by performance.now(). */
  readonly sharedAt: number;
}

/** Credentials to compare with a stored hash. */
interface Question {
  /** The keyed digest of the credentials. */
  readonly proof: Buffer;
  readonly passwordHash: string;
  /** The caller's network (clientNetwork), or undefined if its address is invalid. */
  readonly network: string | undefined;
}

/**
 * Remembers which credentials were right, so that argon2id runs once for a caller and not for every gift. An entry
 * expires when the caller has not called for five minutes. Only successes are kept. Whether the user is active, and its
 * roles, are still read from the database on every request. Credentials are identified by their proof, a keyed digest.
 */
@Injectable()
export class VerifiedCredentials {
  private readonly verified = new LRUCache<string, Verified>({
    max: MAX_ENTRIES,
    ttl: MAX_AGE_MS,
    // A regular caller never needs another check, which could be refused during a flood of wrong passwords.
    updateAgeOnGet: true,
  });
  private readonly underWay = new Map<string, Promise<boolean>>();

  constructor(private readonly shared: SharedVerifications) {}

  proof(credentials: Credentials): Buffer {
    return this.shared.proof(credentials);
  }

  /** True when this process has verified the credentials in the last minutes, whatever hash was stored then. */
  isVerifiedHere(proof: Buffer): boolean {
    return this.verified.has(keyOf(proof));
  }

  /** True when the credentials matched this hash in the last minutes, here or, if `byAny`, in another process. */
  async has(proof: Buffer, passwordHash: string, byAny: boolean): Promise<boolean> {
    const key = keyOf(proof);
    const known = this.verified.peek(key);
    const here = known?.passwordHash === passwordHash;
    // Only credentials that are still right stay known.
    if (here) this.verified.get(key);
    else this.verified.delete(key);
    if (!here && !byAny) return false;
    if (!here || performance.now() - known.sharedAt > SHARE_EVERY_MS) await this.remember(proof, passwordHash);
    return true;
  }

  /** The user of the credentials is disabled or gone. */
  forget(proof: Buffer): void {
    this.verified.delete(keyOf(proof));
  }

  /**
   * Returns the result of `check`, and remembers right credentials. Concurrent calls with the same credentials from one
   * network share one check, because a processor may begin with many calls at once.
   */
  async verify({ proof, passwordHash, network = '' }: Question, check: () => Promise<boolean>): Promise<boolean> {
    const key = `${keyOf(proof)} ${passwordHash} ${network}`;
    let answer = this.underWay.get(key);
    if (answer === undefined) {
      answer = this.rememberIfRight(proof, passwordHash, check()).finally(() => this.underWay.delete(key));
      this.underWay.set(key, answer);
    }
    return answer;
  }

  private async rememberIfRight(proof: Buffer, passwordHash: string, check: Promise<boolean>): Promise<boolean> {
    const right = await check;
    if (right) await this.remember(proof, passwordHash);
    return right;
  }

  private async remember(proof: Buffer, passwordHash: string): Promise<void> {
    this.verified.set(keyOf(proof), { passwordHash, sharedAt: performance.now() });
    await this.shared.add(digestOf(proof, passwordHash), MAX_AGE_MS / 1000);
  }
}

function keyOf(bytes: Buffer): string {
  return bytes.toString('base64');
}
