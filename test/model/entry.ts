import type { Giver } from './giver-pool.js';
import type { ApiUser } from './operation.js';

/** Bundles of one type, user and day; at most one of them is open. */
export interface Bundle {
  readonly id: number;
  readonly typeId: number;
  readonly user: ApiUser;
  /** Days since it was today's. */
  age: number;
  open: boolean;
}

/** How a gift's person was found, as the read-back shows it. */
export interface MatchView {
  readonly by: 'id' | 'match' | 'created';
  readonly on: readonly string[];
  readonly otherCandidates: readonly number[];
}

/** A gift, or the reversing entry of one. */
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

/** What is known of an entry only once the service has made it. */
export interface Made {
  readonly id: number;
  readonly bundleId: number;
  readonly createdAt: string;
  readonly date: string;
}

/** Stands where a new id is due and the service gave one that is in use: it equals no answer. */
export const NEW_ID = -1;
