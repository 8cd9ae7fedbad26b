import { requestDigest } from '../../idempotency/index.js';
import type { AddContributionRequest } from '../dto/add-contribution.request.js';

/** What tells a gift from others where its sender gave it no id. */
type Identity = Pick<AddContributionRequest, 'First' | 'Last' | 'Email' | 'Amount' | 'Date' | 'Source'>;

/** Of a digest, enough to tell the rows of one file apart: a collision would take 2^64 of them. */
const KEY_BYTES = 16;

/**
 * Makes the TransactionId of a row that has none: of who gave how much when, and how many such rows came before it in
 * the file. The same file again, a part of it, or one that overlaps with it gives the same ids, whatever is read of the
 * other columns; two equal rows are two gifts (docs/adr/0013-an-import-is-many-calls.md).
 */
export class DerivedTransactionIds {
  /** Some 80 bytes a row are all that an import keeps of the rows it has read. */
  private readonly seen = new Map<string, number>();

  next({ First, Last, Email, Amount, Date, Source }: Identity): string {
    const digest = requestDigest({ First, Last, Email, Amount, Date, Source });
    const key = digest.toString('latin1', 0, KEY_BYTES);
    const count = (this.seen.get(key) ?? 0) + 1;
    this.seen.set(key, count);
    return `row-${digest.toString('hex')}-${count}`;
  }
}
