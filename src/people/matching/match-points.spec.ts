import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Candidate, type Evidence, MATCH_FROM, POINTS, pointsOf, rankMatches } from './match-points.js';

const KINDS = Object.keys(POINTS) as Evidence[];
/** Every set of matching details, including impossible ones. */
const SUBSETS = Array.from({ length: 2 ** KINDS.length }, (_, bits) => KINDS.filter((_, i) => bits & (1 << i)));

const person = (personId: number, ...evidence: Evidence[]): Candidate => ({ personId, evidence });
const ids = (candidates: readonly Candidate[]): number[] => rankMatches(candidates).map(({ personId }) => personId);

describe('the points', () => {
  it.each(SUBSETS.map((evidence) => [evidence.join(' + ') || 'nothing', evidence] as const))(
    'make %s a match exactly when the contract does',
    (_what, evidence) => {
      const agrees = (kind: Evidence): boolean => evidence.includes(kind);
      const byFirstName = agrees('firstName') && (agrees('email') || agrees('phone'));
      const byShortForm = agrees('shortForm') && agrees('email') && agrees('phone');
      expect(ids([person(1, ...evidence)])).toEqual(agrees('lastName') && (byFirstName || byShortForm) ? [1] : []);
    },
  );

  it('are those of docs/matching.md', () => {
    expect(POINTS).toEqual({ lastName: 40, firstName: 30, shortForm: 15, email: 20, phone: 20 });
    expect(MATCH_FROM).toBe(90);
    expect(pointsOf(person(1, 'lastName', 'shortForm', 'email', 'phone'))).toBe(95);
    expect(pointsOf(person(1))).toBe(0);
  });
});

describe('among several matches', () => {
  const both: Evidence[] = ['lastName', 'firstName', 'email', 'phone'];
  const short: Evidence[] = ['lastName', 'shortForm', 'email', 'phone'];

  it('both contacts are best, then a short form with both, then one contact', () => {
    const byEmail = person(1, 'lastName', 'firstName', 'email');
    const byPhone = person(2, 'lastName', 'firstName', 'phone');
    expect(ids([byEmail, byPhone, person(3, ...short), person(4, ...both)])).toEqual([4, 3, 1, 2]);
  });

  it('e-mail and phone count equally, and the lowest PeopleId is first', () => {
    expect(ids([person(9, 'lastName', 'firstName', 'email'), person(8, 'lastName', 'firstName', 'phone')])).toEqual([
      8, 9,
    ]);
    // PeopleIds are compared as numbers, not as text.
    expect(ids([person(10, ...both), person(9, ...both), person(100, ...both)])).toEqual([9, 10, 100]);
  });

  it('the order does not depend on the input order, and the input is not changed', () => {
    const candidates = fc.uniqueArray(fc.tuple(fc.nat(), fc.constantFrom(...SUBSETS)), { selector: ([id]) => id });
    fc.assert(
      fc.property(
        candidates.chain((some) => fc.tuple(fc.constant(some), fc.shuffledSubarray(some, { minLength: some.length }))),
        ([some, shuffled]) => {
          const [one, two] = [some, shuffled].map((list) => list.map(([id, evidence]) => person(id, ...evidence)));
          const before = JSON.stringify(one);
          const ranked = rankMatches(one ?? []);
          expect(JSON.stringify(one)).toBe(before);
          expect(rankMatches(two ?? [])).toEqual(ranked);
          expect(ranked.every((match) => pointsOf(match) >= MATCH_FROM)).toBe(true);
        },
      ),
    );
  });
});
