import { createHash } from 'node:crypto';

/** The length of a hash in bytes. */
export const HASH_BYTES = 32;

/** The `previousHash` of the first seal. */
export const NO_PREVIOUS_HASH = Buffer.alloc(HASH_BYTES);

/** An entry of the audit trail as it is hashed: the stored values, as text where they are not numbers. */
export interface HashedEntry {
  readonly id: number;
  /** ISO 8601 in UTC, with microseconds. */
  readonly at: string;
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly via: string | null;
  /** JSON as PostgreSQL prints a jsonb value, which does not depend on how it was written. */
  readonly details: string;
}

/** SQL for an instant with microseconds, as in {@link HashedEntry}. */
export const exactInstant = (column: string): string =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/** The columns of a {@link HashedEntry}, for a SELECT from audit_entry. */
export const HASHED_COLUMNS = `id, ${exactInstant('at')} AS at, actor, action, subject, via, details::text AS details`;

/** The SHA-256 of an entry: of the JSON array of its values, in UTF-8. */
export function entryHash({ id, at, actor, action, subject, via, details }: HashedEntry): Buffer {
  return sha256([id, at, actor, action, subject, via, details]);
}

/** The values of a seal that its own hash covers. */
export interface SealContent {
  readonly number: number;
  /** ISO 8601 in UTC, with microseconds. */
  readonly sealedAt: string;
  readonly firstId: number;
  readonly lastId: number;
  readonly entryIds: readonly number[];
  /** One after the other, {@link HASH_BYTES} each. */
  readonly entryHashes: Buffer;
  readonly previousHash: Buffer;
}

/** The SHA-256 of a seal: of the JSON array of its values, with hashes in hexadecimal. */
export function sealHash(seal: SealContent): Buffer {
  const { number, sealedAt, firstId, lastId, entryIds, entryHashes, previousHash } = seal;
  const hashes = [entryHashes.toString('hex'), previousHash.toString('hex')];
  return sha256([number, sealedAt, firstId, lastId, entryIds, ...hashes]);
}

function sha256(values: readonly unknown[]): Buffer {
  return createHash('sha256').update(JSON.stringify(values)).digest();
}
