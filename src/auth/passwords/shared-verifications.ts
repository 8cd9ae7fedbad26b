import { createHmac, createSecretKey, hash, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Configuration } from '../../config/index.js';
import { AuxiliaryQueries, isDatabaseUnavailable, prepared } from '../../database/index.js';
import type { Credentials } from '../schemes/basic-credentials.js';

const DELETE_EXPIRED = prepared('DELETE FROM verified_login WHERE expires_at < now()');
const UPSERT = prepared(`
  INSERT INTO verified_login (digest, expires_at) VALUES ($1, now() + make_interval(secs => $2))
  ON CONFLICT ON CONSTRAINT verified_login_pkey DO UPDATE SET expires_at = excluded.expires_at`);

/**
 * An SQL condition: any process has verified the credentials in the last minutes.
 * @param proof an SQL expression for {@link SharedVerifications.proof}.
 * @param passwordHash an SQL expression for the stored hash.
 */
export function verifiedByAny(proof: string, passwordHash: string): string {
  return `EXISTS (SELECT 1 FROM verified_login
    WHERE digest = sha256(${proof} || convert_to(${passwordHash}, 'UTF8')) AND expires_at > now())`;
}

/**
 * Shares which credentials were right with other processes on this database, and with later ones. The database contains
 * a digest with a key that is not in the database. Without a key the digest is fast to compute, and a copy of the
 * database would allow guessing passwords despite the slow password hash.
 */
@Injectable()
export class SharedVerifications {
  private readonly key: KeyObject;

  constructor(
    { loginSecret }: Configuration,
    private readonly queries: AuxiliaryQueries,
  ) {
    this.key = createSecretKey(keyFrom(loginSecret));
  }

  /** A keyed digest over user and password. */
  proof({ username, password }: Credentials): Buffer {
    // JSON separates the two unambiguously.
    return createHmac('sha256', this.key)
      .update(JSON.stringify([username, password]))
      .digest();
  }

  /** Stores credentials as right for so many seconds. Ignores an unavailable database: this process remembers them. */
  async add(digest: Buffer, seconds: number): Promise<void> {
    try {
      await this.queries.query(UPSERT, [digest, seconds]);
      await this.queries.query(DELETE_EXPIRED);
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
    }
  }
}

/** The digest in the database for a proof and the stored hash. A changed password has another digest. */
export function digestOf(proof: Buffer, passwordHash: string): Buffer {
  return hash('sha256', Buffer.concat([proof, Buffer.from(passwordHash)]), 'buffer');
}

/**
 * A key from LOGIN_SECRET, which all replicas have. It is not in the database, and not the database's password either:
 * with the key, whoever can write to the table could pass for any user. Without it the key is random, and nothing is shared.
 */
function keyFrom(loginSecret: string | undefined): Buffer {
  if (loginSecret === undefined) return randomBytes(32);
  return Buffer.from(hkdfSync('sha256', loginSecret, '', 'offertory verified logins', 32));
}
