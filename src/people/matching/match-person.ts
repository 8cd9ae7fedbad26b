import type { EntityManager } from 'typeorm';
import { arrayParameter, prepared, sqlRows } from '../../database/index.js';
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

/** SQL for text arrays with what a matching person must have: names, of which one must be equal, and contacts. */
interface SearchedSql {
  readonly lastNames: string;
  readonly firstNames: string;
  /** The first names and their short forms. */
  readonly allFirstNames: string;
  readonly contacts: string;
}

/** SQL for the lowest ids of the persons who have the giver's contacts of this kind. */
function firstPersonsOf(kind: 'email' | 'phone', contacts: string): string {
  return `ARRAY(SELECT person_id FROM unnest(${contacts}) AS sent_contact, LATERAL (
      SELECT person_id FROM contact WHERE kind = '${kind}' AND folded = sent_contact
      ORDER BY person_id LIMIT ${SHARED_CONTACT_MIN_PERSONS}) persons)`;
}

/**
 * SQL for the candidates of a giver. It looks each contact up once in the index of match_key, however many persons share
 * it. Persons are locked in the same order as by a merge, lower id first, and read under the lock. The other persons who
 * have the contacts are read only if a person matches. The inner OFFSET 0 looks each person up: a plan made for few persons
 * would read all of them.
 */
function lockCandidates(
  { lastNames, firstNames, allFirstNames, contacts }: SearchedSql,
  { columns = '', from = '' } = {},
): string {
  return `
  SELECT k.*, p.merged_into AS "mergedInto", p.deceased
  FROM (
    SELECT ${columns}found.*, ${firstPersonsOf('email', contacts)} AS "emailPersons",
      ${firstPersonsOf('phone', contacts)} AS "phonePersons"
    FROM ${from}(
      SELECT person_id AS "personId", bool_or(kind = 'email') AS email, bool_or(kind = 'phone') AS phone,
        bool_or(first_name = ANY (${firstNames})) AS "firstName"
      FROM match_key
      WHERE contact = ANY (${contacts}) AND last_name = ANY (${lastNames}) AND first_name = ANY (${allFirstNames})
      GROUP BY person_id
    ) found
    ORDER BY "personId" OFFSET 0
  ) k, LATERAL (SELECT merged_into, deceased FROM person WHERE id = k."personId" OFFSET 0 FOR SHARE) p
  ORDER BY k."personId"`;
}

const LOCK_CANDIDATES = prepared(
  lockCandidates({
    ...{ lastNames: arrayParameter('$1', 'text'), firstNames: arrayParameter('$2', 'text') },
    ...{ allFirstNames: arrayParameter('$3', 'text'), contacts: arrayParameter('$4', 'text') },
  }),
);

/** The same for many givers at once. `place` is that of the giver. */
const LOCK_CANDIDATES_OF_MANY = prepared(
  lockCandidates(
    {
      ...{ lastNames: 'sent."lastNames"', firstNames: 'sent."firstNames"' },
      ...{ allFirstNames: 'sent."allFirstNames"', contacts: 'sent.contacts' },
    },
    {
      columns: 'sent.place::integer - 1 AS place, ',
      from: `ROWS FROM (jsonb_to_recordset($1)
      AS ("lastNames" text[], "firstNames" text[], "allFirstNames" text[], contacts text[]))
    WITH ORDINALITY AS sent("lastNames", "firstNames", "allFirstNames", contacts, place) CROSS JOIN LATERAL `,
    },
  ),
);

/** All persons who match this giver (match-points.ts), best first, locked against a merge until `tx` ends. */
export async function lockMatches(tx: EntityManager, giver: FoldedGiver): Promise<LockedMatch[]> {
  const searched = searchedValuesOf(giver);
  if (searched === undefined) return [];
  const { lastNames, firstNames, allFirstNames, contacts } = searched;
  return matchesOf(await sqlRows(tx, LOCK_CANDIDATES, [lastNames, firstNames, allFirstNames, contacts]));
}

/** As {@link lockMatches}, for many givers in one statement. @returns the matches of each giver, in the same order. */
export async function lockMatchesOfMany(tx: EntityManager, givers: readonly FoldedGiver[]): Promise<LockedMatch[][]> {
  const searched = givers.map((giver) => searchedValuesOf(giver) ?? {});
  const rows = await sqlRows<CandidateRow & { place: number }>(tx, LOCK_CANDIDATES_OF_MANY, [JSON.stringify(searched)]);
  const byPlace = new Map<number, CandidateRow[]>();
  for (const { place, ...row } of rows) byPlace.set(place, [...(byPlace.get(place) ?? []), row]);
  return givers.map((_giver, place) => matchesOf(byPlace.get(place) ?? []));
}

function matchesOf(rows: readonly CandidateRow[]): LockedMatch[] {
  return rankMatches(rows.map((row) => ({ ...row, evidence: evidenceOf(row) })));
}

/** The values of {@link SearchedSql}; undefined if the name cannot be compared. */
function searchedValuesOf(giver: FoldedGiver): Readonly<Record<keyof SearchedSql, string[]>> | undefined {
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
