import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Church } from '../../../config/index.js';
import type { StoredRequest } from '../../../idempotency/index.js';
import { foldGiver, type Giver } from '../../../people/index.js';
import { type AddContributionRequest, sentGift } from '../../gifts/index.js';
import { resolveGiftDate } from '../../../values/index.js';

/** A gift that was recorded from a row without an id, as the row said it, with the digest of all that it said. */
export interface RecordedRow extends StoredRequest {
  readonly contributionId: number;
  /** Made for the row. */
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

/** What a row without an id is compared by. */
export interface RowIdentity {
  /** Equal where source, day and amount are: by these the recorded gifts are looked up. */
  readonly place: GiftPlace;
  /** Equal where giver, moment, amount and source are, phone aside. */
  readonly alike: string;
  readonly contacts: string;
  readonly phone: string;
}

/** A name as it is compared. */
export interface FoldedName {
  readonly first: string;
  readonly last: string;
}

interface GiftPlace {
  readonly source: string;
  readonly day: string;
  readonly amount: string;
}

type Sender = Pick<Giver, 'first' | 'last' | 'email' | 'phone'>;

/**
 * How rows without an id are compared, with each other and with recorded gifts: as matching compares givers, so that
 * letter case, accents and the spelling of a phone number do not make another gift. Both sides are folded when they are
 * compared and nothing folded is stored, so the rules of folding may change (docs/adr/0031-rows-without-an-id.md).
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

  /** Less work than the whole identity, which has a phone number to read. */
  nameOf({ first, last }: FoldedName): FoldedName {
    const folded = foldGiver({ first, last, email: '', phone: '', address: null, zip: null }, this.church.country);
    return { first: folded.first ?? first, last: folded.last ?? last };
  }

  /** Whether a recorded gift is a row that has the same in common with it as rows alike have. */
  isRow(gift: RecordedRow, request: AddContributionRequest, { phone }: RowIdentity): boolean {
    return this.ofRecorded(gift).phone === phone && isEqualButForGiver(request, gift);
  }

  private identity(giver: Sender, place: GiftPlace, givenAt: Date): RowIdentity {
    const folded = foldGiver({ ...giver, address: null, zip: null }, this.church.country);
    // What folds to nothing equals nobody in matching. Here the same words are the same row.
    const [first, last] = [folded.first ?? giver.first, folded.last ?? giver.last];
    const [email, phone] = [folded.email ?? giver.email, folded.phone ?? giver.phone];
    return {
      place,
      alike: shortHash([first, last, email, place.amount, givenAt.toISOString(), place.day, place.source]),
      contacts: JSON.stringify([email, phone]),
      phone,
    };
  }
}

/** Whether a row and a recorded gift are equal in all but the spelling of the giver's name, e-mail and phone. */
export function isEqualButForGiver(request: AddContributionRequest, gift: RecordedRow): boolean {
  const { first: First, last: Last, email: Email, phone: Phone, transactionId: TransactionId } = gift;
  const inItsWords = Object.assign({}, request, { First, Last, Email, Phone, TransactionId });
  return sentGift(inItsWords).isSameAs(gift);
}

/** Half of a SHA-256: enough to tell the rows of one file apart, since a collision would take 2^64 of them. */
export function shortHash(parts: readonly string[]): string {
  return hash('sha256', JSON.stringify(parts), 'buffer').toString('latin1', 0, 16);
}
