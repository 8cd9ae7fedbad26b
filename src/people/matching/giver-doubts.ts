/** Reasons why the person found may not be the giver. */
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
  'without_contacts',
] as const;

export type GiverDoubt = (typeof GIVER_DOUBTS)[number];

/** What a reviewer should check. */
export interface Doubts {
  readonly doubts: readonly GiverDoubt[];
  /** Other persons that the doubts are about, except those who match as well; each once. */
  readonly similarPersons: readonly number[];
}

/** A review lists at most this many persons, because people must read it. */
export const MAX_SIMILAR_PERSONS = 10;

/** A doubt, and the persons it is about. */
export type Doubt = readonly [GiverDoubt, readonly number[]];

/** @param giverId the person that gets the gift, who is not listed as another person. */
export function collectDoubts(found: readonly Doubt[], giverId?: number): Doubts {
  const persons = new Set(found.flatMap(([, ids]) => ids));
  if (giverId !== undefined) persons.delete(giverId);
  return {
    doubts: [...new Set(found.map(([doubt]) => doubt))],
    similarPersons: [...persons].slice(0, MAX_SIMILAR_PERSONS),
  };
}
