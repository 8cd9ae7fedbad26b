import type { EntityManager } from 'typeorm';
import { prepared, sqlRows } from '../../database/index.js';
import { foldEmail, foldEmailBefore, foldName, foldNamesBefore, foldPhone } from './folding.js';
import type { Giver } from './giver.js';
import { SHARED_BY_MANY } from './impersonal-address.js';
import { type Candidate, type Evidence, rankMatches } from './match-points.js';
import { shortFormsOf } from './short-forms.js';

/** A giver's details in the form in which they are compared; null equals nothing. */
export interface FoldedGiver {
  readonly first: string | null;
  readonly last: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  /**
   * The details as the release before folded them, where that is another form. Its replicas may still run: whom one of
   * them has just written is found by these, until it is folded again.
   */
  readonly before?: { readonly first: string | null; readonly last: string | null; readonly email: string | null };
}

/** Folds a giver's details for matching; `country` is that of phone numbers without a country code. */
export function foldGiver(giver: Giver, country: string): FoldedGiver {
  const email = foldEmail(giver.email);
  const emailBefore = email === null ? null : foldEmailBefore(giver.email);
  return {
    first: foldName(giver.first),
    last: foldName(giver.last),
    email,
    phone: foldPhone(giver.phone, country),
    before: {
      first: foldNamesBefore([giver.first])?.[0] ?? null,
      last: foldNamesBefore([giver.last])?.[0] ?? null,
      email: emailBefore === email ? null : emailBefore,
    },
  };
}

/** E-mail and phone, as far as they are usable: an address has an @ and a number none, so neither is taken for the other. */
export function contactsOf({ email, phone, before }: FoldedGiver): string[] {
  return [email, phone, before?.email ?? null].filter((contact) => contact !== null);
}

/** A person that matches, as it was when it was locked. */
export interface LockedMatch extends Candidate {
  /** Set where a merge came between look-up and lock. */
  readonly mergedInto: number | null;
  readonly deceased: boolean;
  /** Persons who have the giver's e-mail address or phone number, this one included; as many as it takes to be shared. */
  readonly emailPersons: readonly number[];
  readonly phonePersons: readonly number[];
}

interface KeyRow {
  readonly person_id: number;
  readonly email: boolean;
  readonly phone: boolean;
  readonly first_name: boolean;
  readonly merged_into: number | null;
  readonly deceased: boolean;
  readonly email_persons: readonly number[];
  readonly phone_persons: readonly number[];
}

/** The lowest ids of those who have this kind of the giver's contacts. */
function firstPersonsOf(kind: 'email' | 'phone'): string {
  return `ARRAY(SELECT person_id FROM unnest($4::text[]) AS sent, LATERAL (
      SELECT person_id FROM contact WHERE kind = '${kind}' AND folded = sent
      ORDER BY person_id LIMIT ${SHARED_BY_MANY}) persons)`;
}

/**
 * One look-up in the index of match_key for each contact, whoever shares it. Persons are locked as a merge does, lower
 * id first, and shown as they are once they are locked. Who else has the contacts is read only if somebody matches.
 */
const LOCK_CANDIDATES = prepared(`
  SELECT k.person_id, k.email, k.phone, k.first_name, p.merged_into, p.deceased,
    ${firstPersonsOf('email')} AS email_persons,
    ${firstPersonsOf('phone')} AS phone_persons
  FROM (
    SELECT person_id, bool_or(kind = 'email') AS email, bool_or(kind = 'phone') AS phone,
      bool_or(first_name = ANY ($2::text[])) AS first_name
    FROM match_key
    WHERE contact = ANY ($4::text[]) AND last_name = ANY ($1::text[]) AND first_name = ANY ($3::text[])
    GROUP BY person_id
  ) k JOIN person p ON p.id = k.person_id
  ORDER BY p.id
  FOR SHARE OF p`);

/**
 * All persons who are this giver by the points of match-points.ts, best first, locked against a merge until `tx` ends.
 */
export async function lockMatches(tx: EntityManager, giver: FoldedGiver): Promise<LockedMatch[]> {
  if (giver.first === null || giver.last === null) return [];
  const lastNames = inBothForms(giver.last, giver.before?.last);
  const firstNames = inBothForms(giver.first, giver.before?.first);
  const rows = await sqlRows<KeyRow>(tx, LOCK_CANDIDATES, [
    lastNames,
    firstNames,
    [...firstNames, ...shortFormsOf(giver.first)],
    contactsOf(giver),
  ]);
  return rankMatches(
    rows.map((row) => ({
      personId: row.person_id,
      evidence: evidenceOf(row),
      mergedInto: row.merged_into,
      deceased: row.deceased,
      emailPersons: row.email_persons,
      phonePersons: row.phone_persons,
    })),
  );
}

function inBothForms(now: string, before: string | null | undefined): string[] {
  return before === null || before === undefined ? [now] : [now, before];
}

function evidenceOf(row: KeyRow): Evidence[] {
  return [
    'lastName',
    row.first_name ? 'firstName' : 'shortForm',
    ...(row.email ? (['email'] as const) : []),
    ...(row.phone ? (['phone'] as const) : []),
  ];
}
