/**
 * A gift was recorded. Published inside its transaction with all that a listener needs, as plain data. A gift that is
 * sent again with its key or transaction id is recorded, and published, once. A dry run publishes it too, in a
 * transaction that is rolled back: a listener that only writes through `tx` leaves nothing.
 */
export class ContributionRecorded {
  static readonly eventName = 'contribution.recorded';

  /** Identifies this event for good: a UUID. */
  readonly eventId!: string;
  readonly contributionId!: number;
  /** Whose gift it is; the names as sent with the gift. */
  readonly giver!: { readonly peopleId: number; readonly first: string; readonly last: string };
  /** Decimal text: "10.00". */
  readonly amount!: string;
  /** ISO 4217. */
  readonly currency!: string;
  readonly fund!: { readonly id: number; readonly name: string };
  /** The gift's day in church time: YYYY-MM-DD. */
  readonly day!: string;
  /** As sent; null where nothing was. */
  readonly source!: string | null;
  /** The user that made the call. */
  readonly username!: string;
  /** The instant at which it was recorded, ISO 8601 in UTC. */
  readonly recordedAt!: string;

  constructor(fields: ContributionRecorded) {
    Object.assign(this, fields);
  }
}
