/**
 * How a giver is recognised: each thing that agrees counts its points, and from {@link MATCH_FROM} on it is a match.
 * The contract's rule follows from the numbers: a match needs the last name, the first name, and the e-mail or the
 * phone; a short form of the first name (Tom for Thomas) needs the e-mail and the phone. docs/matching.md quotes this.
 */
export const POINTS = {
  /** The last name, or a former one. */
  lastName: 40,
  /** The first name, or the nickname. */
  firstName: 30,
  /** A common short form of the first name. */
  shortForm: 15,
  /** A confirmed e-mail address. */
  email: 20,
  /** A confirmed phone number. */
  phone: 20,
} as const;

/** The sum that makes a match. */
export const MATCH_FROM = 90;

/** One thing in which a gift and a person agree. */
export type Evidence = keyof typeof POINTS;

/** All there are. */
export const EVIDENCE = Object.keys(POINTS) as Evidence[];

/** A person that agrees with a gift in some things. */
export interface Candidate {
  readonly personId: number;
  readonly evidence: readonly Evidence[];
}

/** The sum of what agrees. */
export function pointsOf({ evidence }: Candidate): number {
  return evidence.reduce((sum, one) => sum + POINTS[one], 0);
}

/** Those who match, best first: the higher sum, then the lower PeopleId. */
export function rankMatches<T extends Candidate>(candidates: readonly T[]): T[] {
  return candidates
    .filter((candidate) => pointsOf(candidate) >= MATCH_FROM)
    .sort((a, b) => pointsOf(b) - pointsOf(a) || a.personId - b.personId);
}
