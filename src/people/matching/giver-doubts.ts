/** Why a giver that was found may not be the right one. */
export const GIVER_DOUBTS = [
  'several_matches',
  'other_last_name',
  'deceased',
  'similar_person',
  'similar_spelling',
  'changed_last_name',
  'known_name',
  'other_contact',
  'shared_contact',
] as const;

export type GiverDoubt = (typeof GIVER_DOUBTS)[number];

/** What a person should look at, and at whom. */
export interface Doubts {
  readonly doubts: readonly GiverDoubt[];
  /** Other persons whom the doubts are about, but for those who match as well; each once. */
  readonly similarPersons: readonly number[];
}

/** So many persons are named at most: a review is for reading. */
export const NAMED_AT_MOST = 10;

/** A doubt, and the persons it is about. */
export type Doubt = readonly [GiverDoubt, readonly number[]];

/** @param giverId the person that the gift goes to, who is not named as another one. */
export function collectDoubts(found: readonly Doubt[], giverId?: number): Doubts {
  const persons = new Set(found.flatMap(([, ids]) => ids));
  if (giverId !== undefined) persons.delete(giverId);
  return {
    doubts: [...new Set(found.map(([doubt]) => doubt))],
    similarPersons: [...persons].slice(0, NAMED_AT_MOST),
  };
}
