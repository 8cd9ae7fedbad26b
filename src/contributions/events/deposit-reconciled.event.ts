/** A deposit was reconciled: it is in the bank, and never changes again. Published inside the transaction. */
export class DepositReconciled {
  static readonly eventName = 'deposit.reconciled';

  /** A UUID that always identifies this event. */
  readonly eventId!: string;
  /** The id of the deposit. */
  readonly id!: number;
  /** The user who sent it; null if Finance has made it. */
  readonly username!: string | null;
  /** ISO 8601 in UTC. */
  readonly reconciledAt!: string;

  constructor(fields: DepositReconciled) {
    Object.assign(this, fields);
  }
}
