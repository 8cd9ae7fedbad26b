/**
 * The points of each detail in which a gift and a person agree. A sum of at least {@link MATCH_FROM} is a match. The
 * contract's rule follows from the numbers: a match needs the last name, the first name, and the e-mail or the phone;
 * with a short form of the first name (Tom for Thomas) it needs both e-mail and phone. docs/matching.md quotes this.
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

/** The lowest sum of points that is a match. */
export const MATCH_FROM = 90;

/**
 * One detail in which a gift and a person agree. The address has no points: it counts only for a giver without e-mail and
 * phone (match-by-address.ts).
 */
export type Evidence = keyof typeof POINTS | 'address';

export const EVIDENCE: readonly Evidence[] = [...(Object.keys(POINTS) as (keyof typeof POINTS)[]), 'address'];

/** A person that agrees with a gift in some details. */
export interface Candidate {
  readonly personId: number;
  readonly evidence: readonly Evidence[];
}

export function pointsOf({ evidence }: Candidate): number {
  return evidence.reduce((sum, one) => sum + (one === 'address' ? 0 : POINTS[one]), 0);
}

/** The candidates that match, best first: by higher sum, then by lower PeopleId. */
export function rankMatches<T extends Candidate>(candidates: readonly T[]): T[] {
  return candidates
    .filter((candidate) => pointsOf(candidate) >= MATCH_FROM)
    .sort((a, b) => pointsOf(b) - pointsOf(a) || a.personId - b.personId);
}
