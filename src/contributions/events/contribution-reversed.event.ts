/**
 * A gift was reversed. Published inside the reversal's transaction with all data that a listener needs, so that no
 * listener has to read the tables of contributions.
 */
export class ContributionReversed {
  static readonly eventName = 'contribution.reversed';

  /** A UUID that always identifies this event. */
  readonly eventId!: string;
  readonly contributionId!: number;
  /** The reversing entry: the contribution of type 7 with the negative amount. */
  readonly reversingContributionId!: number;
  readonly giver!: { readonly peopleId: number; readonly first: string; readonly last: string };
  /** The gift's amount as decimal text, not negated: "10.00". */
  readonly amount!: string;
  /** ISO 4217. */
  readonly currency!: string;
  readonly fund!: { readonly id: number; readonly name: string };
  /** The gift's day in church time: YYYY-MM-DD. */
  readonly day!: string;
  /** The source in the path of the call, which requested the reversal: "txt2give". */
  readonly source!: string;
  /** The user who made the call. */
  readonly username!: string;
  /** When it was reversed: ISO 8601 in UTC. */
  readonly reversedAt!: string;

  constructor(fields: ContributionReversed) {
    Object.assign(this, fields);
  }
}
