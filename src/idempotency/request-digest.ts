import { hash } from 'node:crypto';

/**
 * The version of requests that this program stores beside a digest. It says which fields the digest covers: a program
 * ignores, and so does not cover, the fields that were added in a later version than its own. To be raised by each
 * release that reads a further field (ADR 28).
 */
export const REQUEST_VERSION = 2;

/** Of fields that were added after version 1, the version in which each was. */
type AddedInVersion = Readonly<Record<string, number>>;

/** What is stored of a call, to compare a repeated one with. */
export interface StoredRequest {
  readonly request_digest: Buffer;
  readonly request_version: number;
}

/** The validated fields of a call, in whatever order and notation they were sent. */
export class SentRequest {
  /** @param addedIn of those fields that not every stored digest covers. */
  constructor(
    private readonly fields: object,
    private readonly addedIn: AddedInVersion = {},
  ) {}

  /** Covers the fields that a program of this version read. */
  digest(version = REQUEST_VERSION): Buffer {
    const covered = Object.entries(this.fields).filter(([name]) => (this.addedIn[name] ?? 1) <= version);
    return requestDigest(Object.fromEntries(covered));
  }

  /** Whether the stored call was this one, as far as the program that stored it read it. */
  isSameAs({ request_digest: digest, request_version: version }: StoredRequest): boolean {
    return this.digest(version).equals(digest);
  }
}

/**
 * SHA-256 over validated fields, which tells whether two requests are the same: in whatever order and notation they
 * were sent, and with what was left out left out. Fields of objects within are expected in one order.
 */
export function requestDigest(fields: object): Buffer {
  const sent = Object.entries(fields).filter(([, value]) => value !== undefined);
  sent.sort(([a], [b]) => (a < b ? -1 : 1));
  return hash('sha256', JSON.stringify(sent), 'buffer');
}
