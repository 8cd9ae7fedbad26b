import type { Giver } from './giver-pool.js';
import type { ApiUser, DepositItem, PaymentMethod, Reason, User } from './operation.js';

/** A bundle. At most one bundle of a type, user and day is open. */
export interface Bundle {
  readonly id: number;
  readonly typeId: number;
  readonly user: User;
  /** Days since its day. */
  age: number;
  open: boolean;
}

/** How the person of a gift was found, as the read-back shows it. */
export interface MatchView {
  readonly by: 'id' | 'match' | 'created';
  readonly on: readonly string[];
  readonly otherCandidates: readonly number[];
}

/** What was paid at once. It has the id of its first part. */
export interface Payment {
  readonly cents: number;
  readonly feeCents: number | null;
  readonly method: PaymentMethod | null;
  readonly checkNumber: string | null;
  readonly payoutId: string | null;
  /** Who sent it, and may read all its entries. */
  readonly user: ApiUser;
  /** By id: its parts, and later what reverses, moves and reinstates them. */
  readonly entries: Entry[];
}

/** A call that took back a payment or a part of it. */
export interface Reversal {
  /** By id. */
  readonly entries: Entry[];
  /** Null if Finance reversed. */
  readonly source: string | null;
  readonly reason: Reason | null;
  readonly refundId: string | null;
}

/** A row of the books. */
export interface Entry {
  readonly id: number;
  /** Parts and reinstatements are gifts: they can be reversed. */
  readonly kind: 'part' | 'reversing entry' | 'move' | 'reinstatement';
  /** The gift that is reversed or moved, or the reversing entry that is undone; null for a part. */
  readonly of: Entry | null;
  readonly payment: Payment;
  /** Of a reversing entry. */
  readonly reversal: Reversal | null;
  personId: number;
  readonly cents: number;
  readonly fundId: number;
  readonly bundle: Bundle;
  readonly typeId: number;
  readonly source: string | null;
  readonly transactionId: string | null;
  readonly notes: string | null;
  /** As sent; null on entries that are no gifts. */
  readonly giver: Giver | null;
  readonly by: User;
  /** Instants in ISO 8601. */
  readonly date: string;
  createdAt: string;
  /** YYYY-MM-DD */
  readonly day: string;
  readonly match: MatchView | null;
  /** Days since it was recorded. */
  age: number;
}

/** A fund of the church. */
export interface Fund {
  readonly id: number;
  readonly name: string;
  open: boolean;
}

/** The values of an entry that the service chooses. */
export interface Made {
  readonly id: number;
  readonly bundleId: number;
  readonly createdAt: string;
  readonly date: string;
}

/** Replaces a new id of the service that is already in use. It differs from every answer. */
export const NEW_ID = -1;

/** An item of a deposit. */
export interface PaidItem {
  readonly sent: DepositItem;
  /** What was paid or taken back, in cents, and the fee. */
  readonly cents: number;
  readonly feeCents: number | null;
}

/** What a processor pays out at once. */
export interface Deposit {
  readonly id: number;
  readonly user: ApiUser;
  readonly depositId: string;
  readonly amountCents: number | null;
  /** By the name of the payment or reversal. */
  readonly items: Map<string, PaidItem>;
  readonly adjustments: number[];
  bankCents: number | null;
  reconciled: boolean;
}
