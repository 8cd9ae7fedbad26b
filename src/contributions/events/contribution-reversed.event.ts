/**
 * A gift was taken back. Published inside the reversal's transaction with all that a listener needs, as plain data,
 * so that nobody has to read the contributions tables for it.
 */
export class ContributionReversed {
  static readonly eventName = 'contribution.reversed';

  /** Identifies this event for good: a UUID. */
  readonly eventId!: string;
  readonly contributionId!: number;
  /** The contribution of type 7 that takes the amount back. */
  readonly reversingContributionId!: number;
  readonly giver!: { readonly peopleId: number; readonly first: string; readonly last: string };
  /** The gift's amount as decimal text, not negated: "10.00". */
  readonly amount!: string;
  /** ISO 4217. */
  readonly currency!: string;
  readonly fund!: { readonly id: number; readonly name: string };
  /** The gift's day in church time: YYYY-MM-DD. */
  readonly day!: string;
  /** Who asked for the reversal, as in the path: "txt2give". */
  readonly source!: string;
  /** The user that made the call. */
  readonly username!: string;
  /** The instant of the reversal, ISO 8601 in UTC. */
  readonly reversedAt!: string;

  constructor(fields: ContributionReversed) {
    Object.assign(this, fields);
  }
}
