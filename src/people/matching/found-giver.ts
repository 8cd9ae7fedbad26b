import type { Giver } from './giver.js';
import type { Doubts } from './giver-doubts.js';
import type { FoldedGiver } from './match-person.js';
import type { Evidence } from './match-points.js';
import type { SimilarityQuery } from './similar-persons.js';

/** The person a gift belongs to, and how the person was found. */
export interface FoundGiver extends Doubts {
  readonly peopleId: number;
  readonly by: FoundBy;
  /** The details in which the gift and the person agree; empty unless found by matching. */
  readonly matchedOn: readonly Evidence[];
  /** Other persons who match, best first. */
  readonly otherMatches: readonly number[];
}

/** A giver to find, with what follows from the details. */
export interface SoughtGiver {
  readonly giver: Giver;
  readonly folded: FoldedGiver;
  readonly similar: SimilarityQuery;
  /**
   * Keys made from the name, e-mail addresses and phone numbers. If two gifts share no key, the person that one of them
   * creates cannot be found by the other. They are locked before a person is created.
   */
  readonly lockKeys: readonly string[];
}

/** By the PeopleId as sent, by matching, or newly created. */
export const WAYS_OF_FINDING = ['id', 'match', 'created'] as const;

type FoundBy = (typeof WAYS_OF_FINDING)[number];
