/**
 * A gift was recorded. Published inside its transaction with all data that a listener needs. A gift that is sent again
 * with its key or transaction id is recorded and published once. A dry run also publishes it, in a transaction that is
 * rolled back, so a listener may only write through `tx`.
 */
export class ContributionRecorded {
  static readonly eventName = 'contribution.recorded';

  /** A UUID that always identifies this event. */
  readonly eventId!: string;
  readonly contributionId!: number;
  /** The person that the gift belongs to, with the names as sent. */
  readonly giver!: { readonly peopleId: number; readonly first: string; readonly last: string };
  /** Decimal text: "10.00". */
  readonly amount!: string;
  /** ISO 4217. */
  readonly currency!: string;
  readonly fund!: { readonly id: number; readonly name: string };
  /** The gift's day in church time: YYYY-MM-DD. */
  readonly day!: string;
  /** As sent; null if it was omitted. */
  readonly source!: string | null;
  /** The user who made the call. */
  readonly username!: string;
  /** When it was recorded: ISO 8601 in UTC. */
  readonly recordedAt!: string;

  constructor(fields: ContributionRecorded) {
    Object.assign(this, fields);
  }
}
