import { requestDigest } from '../../idempotency/index.js';
import type { AddContributionRequest } from '../dto/add-contribution.request.js';
import { ImportError } from './import-error.js';

/** Characters of what {@link idPrefix} makes; migrations/0013-derived-transaction-ids.ts has an index of it. */
export const PREFIX_LENGTH = 'row-'.length + 64 + '-'.length;

/**
 * What the ids of alike rows begin with: those that say the same of who gave how much when. They may be gifts of their
 * own, or one gift that was changed; which, {@link RowNumbering} decides by all that stands in them.
 */
export function idPrefix({ First, Last, Email, Amount, Date, Source }: AddContributionRequest): string {
  return `row-${requestDigest({ First, Last, Email, Amount, Date, Source }).toString('hex')}-`;
}

/** The id of a row that brings none. */
export interface DerivedId {
  readonly prefix: string;
  readonly transactionId: string;
  /** No gift in the books bore it when the import began. */
  readonly isNew: boolean;
}

/** The ids of those rows of a file that bring none (docs/adr/0013-an-import-is-many-calls.md). */
export class DerivedTransactionIds {
  /**
   * @param numbers by row: positive where the gift is in the books, negative where it is new, 0 where there is no id.
   * @param unclear of alike rows whose new ones cannot be told from gifts that are in the books.
   */
  constructor(
    private readonly numbers: Int32Array,
    private readonly unclear: Set<string>,
  ) {}

  /** @throws ImportError when the row could not be read when the rows were numbered. */
  of(row: number, request: AddContributionRequest): DerivedId {
    const number = this.numbers[row] ?? 0;
    // Its date may have been the day after tomorrow until midnight.
    if (number === 0) throw new ImportError(`row ${row} is another one than when the file was read first`);
    const prefix = idPrefix(request);
    return { prefix, transactionId: `${prefix}${Math.abs(number)}`, isNew: number < 0 };
  }

  /** Whether this row must not be booked: it may be in the books already, in other words. */
  isUnclear({ prefix, isNew }: DerivedId): boolean {
    return isNew && this.unclear.has(prefix);
  }

  /** Another gift has come under this id meanwhile: what else is new of rows like it may be that of another import. */
  foundTaken({ prefix }: DerivedId): void {
    this.unclear.add(prefix);
  }
}
