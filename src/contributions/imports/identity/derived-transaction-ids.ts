import { requestDigest } from '../../../idempotency/index.js';
import { ImportError } from '../import-error.js';
import type { OtherReading } from '../files/read-row.js';
import { isEqualButForGiver, type RecordedRow, type RowIdentities } from './row-identity.js';
import type { AddContributionRequest } from '../../gifts/index.js';

/** The length of an {@link idPrefix}. migrations/0013-derived-transaction-ids.ts has an index on these characters. */
export const PREFIX_LENGTH = 'row-'.length + 64 + '-'.length;

/**
 * The prefix of a derived id. Rows with exactly the same giver, amount, date and source have the same prefix. It only
 * makes ids unique and must never change. {@link RowIdentities} compares rows.
 */
export function idPrefix({ First, Last, Email, Amount, Date, Source }: AddContributionRequest): string {
  return `row-${requestDigest({ First, Last, Email, Amount, Date, Source }).toString('hex')}-`;
}

/** A row without an id: a recorded gift, or a new gift with its derived id. */
export type RowWithoutId =
  | { readonly kind: 'recorded'; readonly contributionId: number }
  | { readonly kind: 'new'; readonly transactionId: string; readonly alikeKey: string };

/** ContributionIds of recorded gifts, by the way in which an earlier import may have read the row. */
export type EarlierReadings = Partial<Record<OtherReading['kind'], number>>;

/** The gifts of the rows without an id (docs/adr/0031-rows-without-an-id.md). */
export class DerivedTransactionIds {
  /** Alike keys for which another import has recorded a gift meanwhile. */
  private readonly taken = new Set<string>();

  /**
   * @param numbers by row: the ContributionId of a recorded gift; or the negated number of a new gift; or 0 if the row
   * has a TransactionId or was invalid.
   * @param missing recorded gifts that are not in this file, by alike key.
   */
  constructor(
    private readonly identities: RowIdentities,
    private readonly numbers: Int32Array,
    private readonly missing: ReadonlyMap<string, readonly RecordedRow[]>,
  ) {}

  /** @throws ImportError if the row was invalid when the rows were numbered. */
  of(row: number, request: AddContributionRequest): RowWithoutId {
    const number = this.numbers[row] ?? 0;
    // For example, its date was the day after tomorrow until midnight.
    if (number === 0) throw new ImportError(`row ${row} was not valid when the file was first read`);
    if (number > 0) return { kind: 'recorded', contributionId: number };
    const { alikeKey } = this.identities.ofRequest(request);
    return { kind: 'new', transactionId: `${idPrefix(request)}${-number}`, alikeKey };
  }

  /**
   * Whether a new row must not be recorded, because it may be a recorded gift that was changed: a gift with the same alike
   * key that is not in this file and differs in more than its contacts. If only contacts differ, it may be another giver.
   */
  isAmbiguous(alike: string, request: AddContributionRequest): boolean {
    if (this.taken.has(alike)) return true;
    return (this.missing.get(alike) ?? []).some((gift) => !isEqualButForGiver(request, gift));
  }

  /**
   * The gifts that an earlier import has recorded from this row, if it read the row's date in one of these other ways.
   * A gift that equals another row of this file does not count. A reversed gift does not count either, so that a gift
   * with a wrong date can be reversed and imported again.
   */
  findInReadings(readings: readonly OtherReading[]): EarlierReadings {
    const found: EarlierReadings = {};
    for (const { kind, request } of readings) {
      const identity = this.identities.ofRequest(request);
      const gift = this.missing
        .get(identity.alikeKey)
        ?.find((gift) => !gift.isReversed && this.identities.isRow(gift, request, identity));
      if (gift !== undefined) found[kind] ??= gift.contributionId;
    }
    return found;
  }

  /** Another import has recorded a gift with the id of this row, so it may also have recorded the other alike rows. */
  markTaken(alike: string): void {
    this.taken.add(alike);
  }
}
