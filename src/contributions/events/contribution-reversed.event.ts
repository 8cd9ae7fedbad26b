import type { ReversalReason } from './reversal-reason.js';

/** What a reversal took back from one gift. */
export interface ReversedPart {
  /** The gift. */
  readonly contributionId: number;
  readonly reversingContributionId: number;
  /** Decimal text, not negated: "3.00". */
  readonly amount: string;
  readonly fund: { readonly id: number; readonly name: string };
}

/**
 * A payment was reversed, wholly or in part. Published once for each call, inside its transaction, with all data that a
 * listener needs, so that no listener has to read the tables of contributions.
 */
export class ContributionReversed {
  static readonly eventName = 'contribution.reversed';

  /** A UUID that always identifies this event. */
  readonly eventId!: string;
  /** The payment's first part. It is the gift itself if the payment was not split. */
  readonly contributionId!: number;
  /** The first of the reversing entries: a contribution of type 7 with a negative amount. */
  readonly reversingContributionId!: number;
  readonly giver!: { readonly peopleId: number; readonly first: string; readonly last: string };
  /** What this reversal took back, as decimal text, not negated: "10.00". */
  readonly amount!: string;
  /** What is left of the payment, as decimal text: "0.00" if nothing. */
  readonly left!: string;
  /** Whether `amount` is less than the whole payment. */
  readonly isPartial!: boolean;
  /** ISO 4217. */
  readonly currency!: string;
  /** The fund of the first entry. */
  readonly fund!: { readonly id: number; readonly name: string };
  /** One for each gift from which something was taken. */
  readonly entries!: readonly ReversedPart[];
  /** The gift's day in church time: YYYY-MM-DD. */
  readonly day!: string;
  /** Null if none was sent. */
  readonly reason!: ReversalReason | null;
  /** The source in the path of the call, which requested the reversal: "txt2give"; null if Finance made it. */
  readonly source!: string | null;
  /** The user who added the gift. */
  readonly addedBy!: string;
  /** The user who made the call. */
  readonly username!: string;
  /** When it was reversed: ISO 8601 in UTC. */
  readonly reversedAt!: string;

  constructor(fields: ContributionReversed) {
    Object.assign(this, fields);
  }
}
