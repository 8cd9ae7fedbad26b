import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Church } from '../../../config/index.js';
import type { StoredRequest } from '../../../idempotency/index.js';
import { foldGiver, type Giver } from '../../../people/index.js';
import { type AddContributionRequest, sentGift } from '../../gifts/index.js';
import { resolveGiftDate } from '../../../values/index.js';

/** A gift that was recorded from a row without an id, with the values and the digest of the row. */
export interface RecordedRow extends StoredRequest {
  readonly contributionId: number;
  /** The id that was derived for the row. */
  readonly transactionId: string;
  readonly first: string;
  readonly last: string;
  readonly email: string;
  readonly phone: string;
  readonly amount: string;
  readonly givenAt: Date;
  /** YYYY-MM-DD */
  readonly day: string;
  readonly source: string;
  readonly isReversed: boolean;
}

/** The values by which a row without an id is compared. */
export interface RowIdentity {
  /** Recorded gifts are looked up by these values. */
  readonly lookupKey: LookupKey;
  /** Equal for alike rows: those with the same name, e-mail, time, amount and source. The phone may differ. */
  readonly alikeKey: string;
  readonly contacts: string;
  readonly phone: string;
}

/** A name in the form that is compared. */
export interface FoldedName {
  readonly first: string;
  readonly last: string;
}

interface LookupKey {
  readonly source: string;
  readonly day: string;
  readonly amount: string;
}

type GiverDetails = Pick<Giver, 'first' | 'last' | 'email' | 'phone'>;

/**
 * Compares rows without an id with each other and with recorded gifts. Givers are compared as by matching, so that letter
 * case, accents and the spelling of a phone number do not make a different gift. Both sides are folded for the comparison
 * and no folded value is stored, so the folding rules may change (docs/adr/0031-rows-without-an-id.md).
 */
@Injectable()
export class RowIdentities {
  constructor(private readonly church: Church) {}

  ofRequest(request: AddContributionRequest): RowIdentity {
    const { First, Last, Email, Phone, Amount, Date: date, Source = '' } = request;
    if (date === undefined) throw new Error('A row with neither id nor date was not refused');
    const { instant, day } = resolveGiftDate(date, this.church.timeZone);
    const giver = { first: First, last: Last, email: Email, phone: Phone };
    return this.identity(giver, { source: Source, day, amount: Amount }, instant);
  }

  ofRecorded({ givenAt, day, source, amount, ...giver }: RecordedRow): RowIdentity {
    return this.identity(giver, { source, day, amount }, givenAt);
  }

  /** Faster than the whole identity, which parses a phone number. */
  nameOf({ first, last }: FoldedName): FoldedName {
    const folded = foldGiver({ first, last, email: '', phone: '', address: null, zip: null }, this.church.country);
    return { first: folded.first ?? first, last: folded.last ?? last };
  }

  /** Whether a recorded gift with the same alike key is the gift of this row. */
  isRow(gift: RecordedRow, request: AddContributionRequest, { phone }: RowIdentity): boolean {
    return this.ofRecorded(gift).phone === phone && isEqualButForGiver(request, gift);
  }

  private identity(giver: GiverDetails, lookupKey: LookupKey, givenAt: Date): RowIdentity {
    const folded = foldGiver({ ...giver, address: null, zip: null }, this.church.country);
    // In matching, a value that folds to null equals nothing. Here, equal words make equal rows.
    const [first, last] = [folded.first ?? giver.first, folded.last ?? giver.last];
    const [email, phone] = [folded.email ?? giver.email, folded.phone ?? giver.phone];
    return {
      lookupKey,
      alikeKey: shortHash([
        first,
        last,
        email,
        lookupKey.amount,
        givenAt.toISOString(),
        lookupKey.day,
        lookupKey.source,
      ]),
      contacts: JSON.stringify([email, phone]),
      phone,
    };
  }
}

/** Whether a row and a recorded gift are equal in everything except the giver's name, e-mail and phone. */
export function isEqualButForGiver(request: AddContributionRequest, gift: RecordedRow): boolean {
  const { first: First, last: Last, email: Email, phone: Phone, transactionId: TransactionId } = gift;
  const inItsWords = Object.assign({}, request, { First, Last, Email, Phone, TransactionId });
  return sentGift(inItsWords).isSameAs(gift);
}

/** Half of a SHA-256, which distinguishes the rows of one file: a collision is only likely among 2^64 rows. */
export function shortHash(parts: readonly string[]): string {
  return hash('sha256', JSON.stringify(parts), 'buffer').toString('latin1', 0, 16);
}
