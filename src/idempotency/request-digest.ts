import { hash } from 'node:crypto';

/**
 * The version of requests that this program stores with a digest. It says which fields the digest covers: a program
 * does not know fields of later versions. Raise it in each release that reads a new field (ADR 28).
 */
export const REQUEST_VERSION = 3;

/** The version that added a field, for each field that was added after version 1. */
type AddedInVersion = Readonly<Record<string, number>>;

/** The stored digest of a call, for comparison with a repeated one. */
export interface StoredRequest {
  readonly request_digest: Buffer;
  readonly request_version: number;
}

/** The validated fields of a call. Their order and notation do not matter. */
export class SentRequest {
  /** @param addedIn the versions of the fields that not every stored digest covers. */
  constructor(
    private readonly fields: object,
    private readonly addedIn: AddedInVersion = {},
  ) {}

  /** The digest over the fields that a program of this version reads. */
  digest(version = REQUEST_VERSION): Buffer {
    const covered = Object.entries(this.fields).filter(([name]) => (this.addedIn[name] ?? 1) <= version);
    return requestDigest(Object.fromEntries(covered));
  }

  /** Whether the stored call had the same fields, among those that the program which stored it reads. */
  isSameAs({ request_digest: digest, request_version: version }: StoredRequest): boolean {
    return this.digest(version).equals(digest);
  }
}

/**
 * SHA-256 over validated fields. Two requests with the same values have the same digest, whatever the order and
 * notation of the fields; undefined fields count as missing. The fields of nested objects must have a fixed order.
 */
export function requestDigest(fields: object): Buffer {
  const sent = Object.entries(fields).filter(([, value]) => value !== undefined);
  sent.sort(([a], [b]) => (a < b ? -1 : 1));
  return hash('sha256', JSON.stringify(sent), 'buffer');
}
