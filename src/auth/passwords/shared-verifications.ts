import { createHmac, createSecretKey, hash, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { type Connection, CONNECTION, isDatabaseUnavailable, prepared, Transactions } from '../../database/index.js';
import type { Credentials } from '../basic-credentials.js';

const DELETE_EXPIRED = prepared('DELETE FROM verified_login WHERE expires_at < now()');
const UPSERT = prepared(`
  INSERT INTO verified_login (digest, expires_at) VALUES ($1, now() + make_interval(secs => $2))
  ON CONFLICT ON CONSTRAINT verified_login_pkey DO UPDATE SET expires_at = excluded.expires_at`);

/**
 * Part of a statement: whether some process has verified credentials in the last minutes.
 * @param proof of {@link SharedVerifications.proof}, in SQL.
 * @param passwordHash the stored one, in SQL.
 */
export function verifiedByAny(proof: string, passwordHash: string): string {
  return `EXISTS (SELECT 1 FROM verified_login
    WHERE digest = sha256(${proof} || convert_to(${passwordHash}, 'UTF8')) AND expires_at > now())`;
}

/**
 * Tells the other processes on this database, and those after a restart, which credentials were right. In the database
 * is a digest under a key that is not there: a fast digest that could be recomputed would undo the slow password hash
 * for whoever gets a copy of the database.
 */
@Injectable()
export class SharedVerifications {
  private readonly key: KeyObject;

  constructor(
    @Inject(CONNECTION) connection: Connection,
    private readonly transactions: Transactions,
  ) {
    this.key = createSecretKey(sharedKey(connection));
  }

  /** A keyed digest over user and password. */
  proof({ username, password }: Credentials): Buffer {
    // As JSON the two cannot run into each other.
    return createHmac('sha256', this.key)
      .update(JSON.stringify([username, password]))
      .digest();
  }

  /** Notes these credentials as right for so many seconds. A database that takes no writes now leaves it at this process's own memory. */
  async add(digest: Buffer, seconds: number): Promise<void> {
    try {
      await this.transactions.query(UPSERT, [digest, seconds]);
      await this.transactions.query(DELETE_EXPIRED);
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
    }
  }
}

/** What stands in the database for a proof against a stored hash: a changed password is another entry. */
export function digestOf(proof: Buffer, passwordHash: string): Buffer {
  return hash('sha256', Buffer.concat([proof, Buffer.from(passwordHash)]), 'buffer');
}

/**
 * What all replicas have and a copy of the database has not: the database's own password. Without one (the embedded
 * server, say) the key is this process's own, and nothing is shared.
 */
function sharedKey(connection: Connection): Buffer {
  const password = 'url' in connection ? new URL(connection.url).password : '';
  if (password === '') return randomBytes(32);
  return Buffer.from(hkdfSync('sha256', password, '', 'offertory verified logins', 32));
}
