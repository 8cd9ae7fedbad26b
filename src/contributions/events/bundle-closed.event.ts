/** A bundle was closed, and never changes again. Published inside the transaction, once for each bundle. */
export class BundleClosed {
  static readonly eventName = 'bundle.closed';

  /** A UUID that always identifies this event. */
  readonly eventId!: string;
  readonly bundleId!: number;
  /** The user whose gifts it holds. */
  readonly username!: string;
  /** ISO 8601 in UTC. */
  readonly closedAt!: string;

  constructor(fields: BundleClosed) {
    Object.assign(this, fields);
  }
}
