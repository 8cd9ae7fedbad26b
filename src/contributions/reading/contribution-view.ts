import type { Giver } from '../../people/index.js';

/** A contribution as the read-back and the command line show it; fields in the contract's order. */
export interface ContributionView {
  readonly contributionId: number;
  readonly peopleId: number;
  /** Decimal text, negative on a reversing entry; no decimals where the currency has none. */
  readonly amount: string;
  readonly currency: string;
  readonly date: string;
  /** The day in church time, YYYY-MM-DD. */
  readonly day: string;
  readonly fundId: number;
  readonly bundleId: number;
  readonly bundleTypeId: number;
  readonly contributionTypeId: number;
  readonly status: 'Recorded' | 'Reversed';
  readonly source: string | null;
  readonly transactionId: string | null;
  readonly notes: string | null;
  /** As sent; null on a reversing entry. */
  readonly giver: Giver | null;
  readonly createdBy: string;
  readonly createdAt: string;
  /** When it was last changed: reversed, or given to another person. */
  readonly updatedAt: string;
  /** How its person was found; null on a reversing entry. */
  readonly match: MatchView | null;
  /** On a reversing entry: the gift it takes back. */
  readonly reverses: number | null;
  /** On a reversed gift: what took it back. */
  readonly reversal: ReversalView | null;
}

interface MatchView {
  /** By the PeopleId that was sent, by matching, or newly created. */
  readonly by: 'id' | 'match' | 'created';
  /** In what the gift and the person agreed. */
  readonly on: readonly string[];
  /** PeopleIds of others who matched as well, best first. */
  readonly otherCandidates: readonly number[];
}

interface ReversalView {
  readonly contributionId: number;
  readonly source: string | null;
  readonly by: string;
  readonly at: string;
}
