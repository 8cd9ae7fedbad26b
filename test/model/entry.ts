import type { Giver } from './giver-pool.js';
import type { ApiUser } from './operation.js';

/** A bundle. At most one bundle of a type, user and day is open. */
export interface Bundle {
  readonly id: number;
  readonly typeId: number;
  readonly user: ApiUser;
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

/** A gift or a reversing entry. */
export interface Entry {
  readonly id: number;
  personId: number;
  readonly cents: number;
  readonly fundId: number;
  readonly bundle: Bundle;
  readonly typeId: number;
  readonly source: string | null;
  readonly transactionId: string | null;
  readonly notes: string | null;
  readonly giver: Giver | null;
  readonly by: ApiUser;
  /** Instants in ISO 8601. */
  readonly date: string;
  createdAt: string;
  /** YYYY-MM-DD */
  readonly day: string;
  readonly match: MatchView | null;
  readonly reverses: Entry | null;
  reversal: Entry | null;
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
