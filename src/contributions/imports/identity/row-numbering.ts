import { DerivedTransactionIds, idPrefix, PREFIX_LENGTH } from './derived-transaction-ids.js';
import { type RecordedRow, type RowIdentities, type RowIdentity, shortHash } from './row-identity.js';
import type { AddContributionRequest } from '../../gifts/index.js';

/** The recorded gifts that must be looked up before some rows can be numbered. */
export interface RecordedRowsQuery {
  readonly prefixes: readonly string[];
  readonly lookupKeys: readonly RowIdentity['lookupKey'][];
}

/**
 * Assigns a recorded gift or a new number to each row without an id. A row that equals a recorded gift, compared as by
 * matching, is that gift, and each gift is assigned to only one row. Any other row gets the next free number of its prefix.
 */
export class RowNumbering {
  /** The highest number of each prefix that is recorded or assigned. */
  private readonly lastNumbers = new Map<string, number>();
  private readonly knownLookupKeys = new Set<string>();
  /** Recorded gifts that are not yet assigned to a row, by alike key; lowest id first. */
  private readonly unassigned = new Map<string, RecordedRow[]>();
  /** The alike key of each gift, by ContributionId. A gift may be added again, even after it was assigned. */
  private readonly alikeKeys = new Map<number, string>();
  private readonly numbers: Int32Array;

  /** @param rows the number of rows in the file; they are numbered from 1. */
  constructor(
    private readonly identities: RowIdentities,
    rows: number,
  ) {
    this.numbers = new Int32Array(rows + 1);
  }

  /** The recorded gifts to pass to {@link addRecorded} before these rows are numbered. */
  queryFor(requests: readonly AddContributionRequest[]): RecordedRowsQuery {
    const prefixes = new Set(requests.map(idPrefix).filter((prefix) => !this.lastNumbers.has(prefixHash(prefix))));
    const lookupKeys = new Map<string, RowIdentity['lookupKey']>();
    for (const request of requests) {
      const { lookupKey } = this.identities.ofRequest(request);
      if (!this.knownLookupKeys.has(hashOf(lookupKey))) lookupKeys.set(hashOf(lookupKey), lookupKey);
    }
    return { prefixes: [...prefixes], lookupKeys: [...lookupKeys.values()] };
  }

  /**
   * @param requests the rows for which `query` was made.
   * @param gifts all recorded gifts that `query` selects.
   */
  addRecorded(
    requests: readonly AddContributionRequest[],
    query: RecordedRowsQuery,
    gifts: readonly RecordedRow[],
  ): void {
    for (const prefix of query.prefixes) this.lastNumbers.set(prefixHash(prefix), 0);
    for (const key of query.lookupKeys) this.knownLookupKeys.add(hashOf(key));
    // A prefix depends on the words of the row only. So it finds the gift even if the church has corrected its time zone
    // and the gift's day has changed.
    const alikeByPrefix = new Map(requests.map((row) => [idPrefix(row), this.identities.ofRequest(row).alikeKey]));
    for (const gift of [...gifts].sort((a, b) => a.contributionId - b.contributionId)) {
      const prefix = gift.transactionId.slice(0, PREFIX_LENGTH);
      const last = this.lastNumbers.get(prefixHash(prefix));
      if (last !== undefined) this.lastNumbers.set(prefixHash(prefix), Math.max(last, numberOf(gift)));
      this.put(gift, alikeByPrefix.get(prefix));
    }
  }

  /**
   * Adds an unassigned gift. A gift that is already assigned is not added again.
   * @param alikeKey of the rows with its prefix; undefined if there are none.
   */
  private put(gift: RecordedRow, alikeKey: string | undefined): void {
    const earlier = this.alikeKeys.get(gift.contributionId);
    if (earlier !== undefined && (alikeKey === undefined || alikeKey === earlier || !this.take(gift, earlier))) return;
    const key = alikeKey ?? this.identities.ofRecorded(gift).alikeKey;
    this.alikeKeys.set(gift.contributionId, key);
    const others = this.unassigned.get(key);
    if (others === undefined) this.unassigned.set(key, [gift]);
    else others.push(gift);
  }

  /** Removes an unassigned gift. @returns whether it was still unassigned. */
  private take({ contributionId }: RecordedRow, alikeKey: string): boolean {
    const gifts = this.unassigned.get(alikeKey) ?? [];
    const found = gifts.findIndex((gift) => gift.contributionId === contributionId);
    if (found < 0) return false;
    gifts.splice(found, 1);
    if (gifts.length === 0) this.unassigned.delete(alikeKey);
    return true;
  }

  /** Numbers the next row without an id, in the order of the file. */
  number(row: number, request: AddContributionRequest): void {
    const identity = this.identities.ofRequest(request);
    const { alikeKey } = identity;
    const gift = this.unassigned.get(alikeKey)?.find((gift) => this.identities.isRow(gift, request, identity));
    if (gift !== undefined) {
      this.take(gift, alikeKey);
      this.numbers[row] = gift.contributionId;
      return;
    }
    const prefix = prefixHash(idPrefix(request));
    const next = (this.lastNumbers.get(prefix) ?? 0) + 1;
    this.lastNumbers.set(prefix, next);
    this.numbers[row] = -next;
  }

  /** Call it after the last row of the file. */
  finish(): DerivedTransactionIds {
    return new DerivedTransactionIds(this.identities, this.numbers, this.unassigned);
  }
}

function hashOf({ source, day, amount }: RowIdentity['lookupKey']): string {
  return shortHash([source, day, amount]);
}

/** Half of the hash in a prefix, which is enough to distinguish the rows of one file. */
function prefixHash(id: string): string {
  return Buffer.from(id.slice('row-'.length, 'row-'.length + 32), 'hex').toString('latin1');
}

function numberOf({ transactionId }: RecordedRow): number {
  return Number(transactionId.slice(PREFIX_LENGTH));
}
