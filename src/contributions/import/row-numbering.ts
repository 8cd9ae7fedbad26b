import type { StoredRequest } from '../../idempotency/index.js';
import type { AddContributionRequest } from '../dto/add-contribution.request.js';
import { sentGift } from '../dto/to-command.js';
import { DerivedTransactionIds, idPrefix, PREFIX_LENGTH } from './derived-transaction-ids.js';

/** A gift that was booked of a row without an id, with the digest of all that stood in the row. */
export interface BookedRow extends StoredRequest {
  readonly transactionId: string;
}

/** Rows of the file that have one prefix, beside the gifts in the books that have it. */
interface AlikeRows {
  /** In the order of their numbers, those that were not found in the file so far. */
  readonly booked: BookedRow[];
  lastNumber: number;
  hasNew: boolean;
}

/**
 * Gives numbers to alike rows: a row that equals a gift in the books in all gets that gift's, each gift once; another
 * one gets the next free number. Where some of either side are left over, a row may be a gift of its own or one that
 * was changed: then no new one of them is to be booked.
 */
export class RowNumbering {
  private readonly alike = new Map<string, AlikeRows>();
  private readonly numbers: Int32Array;

  /** @param rows how many the file has, numbered from 1. */
  constructor(rows: number) {
    this.numbers = new Int32Array(rows + 1);
  }

  knows(prefix: string): boolean {
    return this.alike.has(keyOf(prefix));
  }

  /** To be told before a row of one of these prefixes is numbered. @param booked all gifts that have one of them. */
  learn(prefixes: readonly string[], booked: readonly BookedRow[]): void {
    for (const prefix of prefixes) this.alike.set(keyOf(prefix), { booked: [], lastNumber: 0, hasNew: false });
    for (const gift of [...booked].sort((a, b) => numberOf(a) - numberOf(b))) {
      const alike = this.alikeOf(gift.transactionId);
      alike.booked.push(gift);
      alike.lastNumber = numberOf(gift);
    }
  }

  /** The next row of the file that brings no id. */
  number(row: number, request: AddContributionRequest): void {
    const alike = this.alikeOf(idPrefix(request));
    const found = alike.booked.findIndex((gift) =>
      sentGift(Object.assign({}, request, { TransactionId: gift.transactionId })).isSameAs(gift),
    );
    const [gift] = found < 0 ? [] : alike.booked.splice(found, 1);
    alike.hasNew ||= gift === undefined;
    this.numbers[row] = gift === undefined ? -++alike.lastNumber : numberOf(gift);
  }

  /** After the last row of the file. */
  finish(): DerivedTransactionIds {
    const unclear = new Set<string>();
    for (const { booked, hasNew } of this.alike.values()) {
      const [left] = booked;
      if (hasNew && left !== undefined) unclear.add(left.transactionId.slice(0, PREFIX_LENGTH));
    }
    return new DerivedTransactionIds(this.numbers, unclear);
  }

  private alikeOf(id: string): AlikeRows {
    const alike = this.alike.get(keyOf(id));
    if (alike === undefined) throw new Error('A row is to be numbered of which nobody knows whether it is booked');
    return alike;
  }
}

/** Half of the hash: enough to tell the rows of one file apart, since a collision would take 2^64 of them. */
function keyOf(id: string): string {
  return Buffer.from(id.slice('row-'.length, 'row-'.length + 32), 'hex').toString('latin1');
}

function numberOf({ transactionId }: BookedRow): number {
  return Number(transactionId.slice(PREFIX_LENGTH));
}
