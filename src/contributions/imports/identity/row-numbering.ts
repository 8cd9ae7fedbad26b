import { DerivedTransactionIds, idPrefix, PREFIX_LENGTH } from './derived-transaction-ids.js';
import { type RecordedRow, type RowIdentities, type RowIdentity, shortHash } from './row-identity.js';
import type { AddContributionRequest } from '../../gifts/index.js';

/** What the recorded gifts have to be asked for before some rows can be numbered. */
export interface UnknownRows {
  readonly prefixes: readonly string[];
  readonly places: readonly RowIdentity['place'][];
}

/**
 * Finds the recorded gift of each row without an id, or gives it the number of a new one. A row that is equal to a
 * recorded gift, compared as matching compares, is that gift, and each gift is only one row. Another row gets the next
 * free number of its prefix.
 */
export class RowNumbering {
  /** The highest number of a prefix, recorded or given away. */
  private readonly lastNumbers = new Map<string, number>();
  private readonly places = new Set<string>();
  /** Recorded gifts that no row of the file was so far, by what alike rows have in common; lowest id first. */
  private readonly recorded = new Map<string, RecordedRow[]>();
  /** Where each gift was put that was ever learned, by its ContributionId: it is told again, and may be a row by then. */
  private readonly putAt = new Map<number, string>();
  private readonly numbers: Int32Array;

  /** @param rows how many the file has, numbered from 1. */
  constructor(
    private readonly identities: RowIdentities,
    rows: number,
  ) {
    this.numbers = new Int32Array(rows + 1);
  }

  /** What {@link learn} has to be told before these rows are numbered. */
  unknownOf(requests: readonly AddContributionRequest[]): UnknownRows {
    const prefixes = new Set(requests.map(idPrefix).filter((prefix) => !this.lastNumbers.has(keyOf(prefix))));
    const places = new Map<string, RowIdentity['place']>();
    for (const request of requests) {
      const { place } = this.identities.ofRequest(request);
      if (!this.places.has(placeKey(place))) places.set(placeKey(place), place);
    }
    return { prefixes: [...prefixes], places: [...places.values()] };
  }

  /**
   * @param requests the rows that were asked for.
   * @param gifts all that have one of the prefixes or places.
   */
  learn(requests: readonly AddContributionRequest[], unknown: UnknownRows, gifts: readonly RecordedRow[]): void {
    for (const prefix of unknown.prefixes) this.lastNumbers.set(keyOf(prefix), 0);
    for (const place of unknown.places) this.places.add(placeKey(place));
    // A prefix is made of the words of the row, so it holds even where its day is another one by now: the church may
    // have corrected its time zone.
    const alikeByPrefix = new Map(requests.map((row) => [idPrefix(row), this.identities.ofRequest(row).alike]));
    for (const gift of [...gifts].sort((a, b) => a.contributionId - b.contributionId)) {
      const prefix = gift.transactionId.slice(0, PREFIX_LENGTH);
      const last = this.lastNumbers.get(keyOf(prefix));
      if (last !== undefined) this.lastNumbers.set(keyOf(prefix), Math.max(last, numberOf(gift)));
      this.put(gift, alikeByPrefix.get(prefix));
    }
  }

  /**
   * A gift that is a row already is not put back, since each gift is only one row.
   * @param alike of the rows with its words; undefined where none were asked for.
   */
  private put(gift: RecordedRow, alike: string | undefined): void {
    const before = this.putAt.get(gift.contributionId);
    if (before !== undefined && (alike === undefined || alike === before || !this.take(gift, before))) return;
    const key = alike ?? this.identities.ofRecorded(gift).alike;
    this.putAt.set(gift.contributionId, key);
    const others = this.recorded.get(key);
    if (others === undefined) this.recorded.set(key, [gift]);
    else others.push(gift);
  }

  /** @returns whether the gift was still there. */
  private take({ contributionId }: RecordedRow, alike: string): boolean {
    const gifts = this.recorded.get(alike) ?? [];
    const found = gifts.findIndex((gift) => gift.contributionId === contributionId);
    if (found < 0) return false;
    gifts.splice(found, 1);
    if (gifts.length === 0) this.recorded.delete(alike);
    return true;
  }

  /** The next row of the file that has no id. */
  number(row: number, request: AddContributionRequest): void {
    const identity = this.identities.ofRequest(request);
    const { alike } = identity;
    const gift = this.recorded.get(alike)?.find((gift) => this.identities.isRow(gift, request, identity));
    if (gift !== undefined) {
      this.take(gift, alike);
      this.numbers[row] = gift.contributionId;
      return;
    }
    const prefix = keyOf(idPrefix(request));
    const next = (this.lastNumbers.get(prefix) ?? 0) + 1;
    this.lastNumbers.set(prefix, next);
    this.numbers[row] = -next;
  }

  /** After the last row of the file. */
  finish(): DerivedTransactionIds {
    return new DerivedTransactionIds(this.identities, this.numbers, this.recorded);
  }
}

function placeKey({ source, day, amount }: RowIdentity['place']): string {
  return shortHash([source, day, amount]);
}

/** Half of the hash in an id: enough to tell the rows of one file apart. */
function keyOf(id: string): string {
  return Buffer.from(id.slice('row-'.length, 'row-'.length + 32), 'hex').toString('latin1');
}

function numberOf({ transactionId }: RecordedRow): number {
  return Number(transactionId.slice(PREFIX_LENGTH));
}
