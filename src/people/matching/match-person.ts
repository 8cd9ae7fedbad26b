import type { EntityManager } from 'typeorm';
import { prepared, sqlRows } from '../../database/index.js';
import { foldEmail, foldEmailByPreviousRule, foldName, differingPreviousForms, foldPhone } from './folding.js';
import type { Giver } from './giver.js';
import { SHARED_CONTACT_MIN_PERSONS } from './impersonal-address.js';
import { type Candidate, type Evidence, rankMatches } from './match-points.js';
import { shortFormsOf } from './short-forms.js';

/** A giver's details in the form that is compared; null equals nothing. */
export interface FoldedGiver {
  readonly first: string | null;
  readonly last: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  /**
   * The details as the previous release folded them, if that form differs. Its replicas may still run: persons that they
   * write are found by these forms until they are folded again.
   */
  readonly previous?: { readonly first: string | null; readonly last: string | null; readonly email: string | null };
}

/** Folds a giver's details for matching. @param country of phone numbers without a country code (ISO 3166) */
export function foldGiver(giver: Giver, country: string): FoldedGiver {
  const email = foldEmail(giver.email);
  const previousEmail = email === null ? null : foldEmailByPreviousRule(giver.email);
  return {
    first: foldName(giver.first),
    last: foldName(giver.last),
    email,
    phone: foldPhone(giver.phone, country),
    previous: {
      first: differingPreviousForms([giver.first])?.[0] ?? null,
      last: differingPreviousForms([giver.last])?.[0] ?? null,
      email: previousEmail === email ? null : previousEmail,
    },
  };
}

/** The usable contacts in one list. An e-mail address contains an @ and a phone number does not, so none is mistaken. */
export function contactsOf({ email, phone, previous }: FoldedGiver): string[] {
  return [email, phone, previous?.email ?? null].filter((contact) => contact !== null);
}

/** A matching person, as read under the lock. */
export interface LockedMatch extends Candidate {
  /** Set if a merge happened between look-up and lock. */
  readonly mergedInto: number | null;
  readonly deceased: boolean;
  /**
   * Persons with the giver's e-mail address or phone number, this one included; at most
   * {@link SHARED_CONTACT_MIN_PERSONS}.
   */
  readonly emailPersons: readonly number[];
  readonly phonePersons: readonly number[];
}

/** A candidate and what agrees: the e-mail, the phone, and the first name; otherwise a short form of it. */
type CandidateRow = Omit<LockedMatch, 'evidence'> & Readonly<Record<'email' | 'phone' | 'firstName', boolean>>;

/** SQL for the lowest ids of the persons who have the giver's contacts of this kind. */
function firstPersonsOf(kind: 'email' | 'phone'): string {
  return `ARRAY(SELECT person_id FROM unnest($4::text[]) AS sent, LATERAL (
      SELECT person_id FROM contact WHERE kind = '${kind}' AND folded = sent
      ORDER BY person_id LIMIT ${SHARED_CONTACT_MIN_PERSONS}) persons)`;
}

/**
 * Looks each contact up once in the index of match_key, however many persons share it. Persons are locked in the same
 * order as by a merge, lower id first, and read under the lock. The other persons who have the contacts are read only if
 * a person matches.
 */
const LOCK_CANDIDATES = prepared(`
  SELECT k.person_id AS "personId", k.email, k.phone, k.first_name AS "firstName", p.merged_into AS "mergedInto",
    p.deceased, ${firstPersonsOf('email')} AS "emailPersons", ${firstPersonsOf('phone')} AS "phonePersons"
  FROM (
    SELECT person_id, bool_or(kind = 'email') AS email, bool_or(kind = 'phone') AS phone,
      bool_or(first_name = ANY ($2::text[])) AS first_name
    FROM match_key
    WHERE contact = ANY ($4::text[]) AND last_name = ANY ($1::text[]) AND first_name = ANY ($3::text[])
    GROUP BY person_id
  ) k JOIN person p ON p.id = k.person_id
  ORDER BY p.id
  FOR SHARE OF p`);

/** All persons who match this giver (match-points.ts), best first, locked against a merge until `tx` ends. */
export async function lockMatches(tx: EntityManager, giver: FoldedGiver): Promise<LockedMatch[]> {
  const searched = searchedValuesOf(giver);
  if (searched === undefined) return [];
  const { lastNames, firstNames, allFirstNames, contacts } = searched;
  const rows = await sqlRows<CandidateRow>(tx, LOCK_CANDIDATES, [lastNames, firstNames, allFirstNames, contacts]);
  return rankMatches(rows.map((row) => ({ ...row, evidence: evidenceOf(row) })));
}

/** The same look-up as {@link LOCK_CANDIDATES}, for many givers at once, and without locks. */
const SELECT_WITHOUT_MATCH = prepared(`
  SELECT place::integer - 1 AS place
  FROM ROWS FROM (jsonb_to_recordset($1) AS ("lastNames" text[], "allFirstNames" text[], contacts text[]))
    WITH ORDINALITY AS sent("lastNames", "allFirstNames", contacts, place)
  WHERE NOT EXISTS (
    SELECT FROM match_key k
    WHERE k.contact = ANY (sent.contacts) AND k.last_name = ANY (sent."lastNames")
      AND k.first_name = ANY (sent."allFirstNames"))`);

/** Those of the givers whom no person matches. @param country as in {@link foldGiver} */
export async function withoutMatch(
  tx: EntityManager,
  givers: readonly Giver[],
  country: string,
): Promise<readonly Giver[]> {
  const searched = givers.map(
    (giver) => searchedValuesOf(foldGiver(giver, country)) ?? { lastNames: [], allFirstNames: [], contacts: [] },
  );
  const rows = await sqlRows<{ place: number }>(tx, SELECT_WITHOUT_MATCH, [JSON.stringify(searched)]);
  const places = new Set(rows.map(({ place }) => place));
  return givers.filter((_giver, place) => places.has(place));
}

/** What a matching person must have. Undefined if the name cannot be compared. */
function searchedValuesOf(
  giver: FoldedGiver,
): Readonly<Record<'lastNames' | 'firstNames' | 'allFirstNames' | 'contacts', string[]>> | undefined {
  if (giver.first === null || giver.last === null) return undefined;
  const firstNames = inBothForms(giver.first, giver.previous?.first);
  return {
    lastNames: inBothForms(giver.last, giver.previous?.last),
    firstNames,
    allFirstNames: [...firstNames, ...shortFormsOf(giver.first)],
    contacts: contactsOf(giver),
  };
}

function inBothForms(current: string, previous: string | null | undefined): string[] {
  return previous === null || previous === undefined ? [current] : [current, previous];
}

function evidenceOf(row: CandidateRow): Evidence[] {
  return [
    'lastName',
    row.firstName ? 'firstName' : 'shortForm',
    ...(row.email ? (['email'] as const) : []),
    ...(row.phone ? (['phone'] as const) : []),
  ];
}
