import { requestDigest } from '../../../idempotency/index.js';
import { ImportError } from '../import-error.js';
import type { OtherReading } from '../files/read-row.js';
import { isEqualButForGiver, type RecordedRow, type RowIdentities } from './row-identity.js';
import type { AddContributionRequest } from '../../gifts/index.js';

/** Characters of what {@link idPrefix} makes; migrations/0013-derived-transaction-ids.ts has an index of it. */
export const PREFIX_LENGTH = 'row-'.length + 64 + '-'.length;

/**
 * What the ids of rows begin with that say the same, letter by letter, of who gave how much when. It only makes ids
 * unique and must never change: what an id says is compared by {@link RowIdentities}.
 */
export function idPrefix({ First, Last, Email, Amount, Date, Source }: AddContributionRequest): string {
  return `row-${requestDigest({ First, Last, Email, Amount, Date, Source }).toString('hex')}-`;
}

/** What is known of a row that has no id. */
export type RowWithoutId =
  | { readonly kind: 'recorded'; readonly contributionId: number }
  | { readonly kind: 'new'; readonly transactionId: string; readonly alike: string };

/** ContributionIds by how an earlier import has read the row. */
export type ReadBefore = Partial<Record<OtherReading['kind'], number>>;

/** Which gifts those rows of a file are that have no id (docs/adr/0031-rows-without-an-id.md). */
export class DerivedTransactionIds {
  /** Rows alike of which another import has recorded one meanwhile. */
  private readonly taken = new Set<string>();

  /**
   * @param numbers by row: the ContributionId of a recorded gift, negative for a new one its number, 0 for no row.
   * @param missing recorded gifts that are no row of this file, by what alike rows have in common.
   */
  constructor(
    private readonly identities: RowIdentities,
    private readonly numbers: Int32Array,
    private readonly missing: ReadonlyMap<string, readonly RecordedRow[]>,
  ) {}

  /** @throws ImportError when the row could not be read when the rows were numbered. */
  of(row: number, request: AddContributionRequest): RowWithoutId {
    const number = this.numbers[row] ?? 0;
    // Its date may have been the day after tomorrow until midnight.
    if (number === 0) throw new ImportError(`row ${row} is another one than when the file was read first`);
    if (number > 0) return { kind: 'recorded', contributionId: number };
    const { alike } = this.identities.ofRequest(request);
    return { kind: 'new', transactionId: `${idPrefix(request)}${-number}`, alike };
  }

  /**
   * Whether a new row must not be recorded, since it may be a recorded gift that was changed: one that is alike, is not
   * in this file, and differs in more than its contacts. Where these alone differ, it may be another giver.
   */
  isUnclear(alike: string, request: AddContributionRequest): boolean {
    if (this.taken.has(alike)) return true;
    return (this.missing.get(alike) ?? []).some((gift) => !isEqualButForGiver(request, gift));
  }

  /**
   * Recorded gifts that a row is in other readings, and that are no row of this file as it is read now. A gift that was
   * reversed stands no more: so a wrong reading can be put right.
   */
  inReadings(readings: readonly OtherReading[]): ReadBefore {
    const found: ReadBefore = {};
    for (const { kind, request } of readings) {
      const identity = this.identities.ofRequest(request);
      const gift = this.missing
        .get(identity.alike)
        ?.find((gift) => !gift.isReversed && this.identities.isRow(gift, request, identity));
      if (gift !== undefined) found[kind] ??= gift.contributionId;
    }
    return found;
  }

  /** Another import has recorded a gift under the id of this row: what else is new of rows alike may be its as well. */
  foundTaken(alike: string): void {
    this.taken.add(alike);
  }
}
