import type { EntityManager } from 'typeorm';
import { sqlRows } from '../database/index.js';
import { foldEmail, foldName, foldPhone } from './folding.js';
import type { Giver } from './giver.js';
import { type Candidate, type Evidence, rankMatches } from './match-points.js';
import { shortFormsOf } from './short-forms.js';

/** A giver's details in the form in which they are compared; null equals nothing. */
export interface FoldedGiver {
  readonly first: string | null;
  readonly last: string | null;
  readonly email: string | null;
  readonly phone: string | null;
}

/** Folds a giver's details for matching; `country` is that of phone numbers without a country code. */
export function foldGiver(giver: Giver, country: string): FoldedGiver {
  return {
    first: foldName(giver.first),
    last: foldName(giver.last),
    email: foldEmail(giver.email),
    phone: foldPhone(giver.phone, country),
  };
}

/** E-mail and phone, as far as they are usable: an address has an @ and a number none, so neither is taken for the other. */
export function contactsOf({ email, phone }: FoldedGiver): string[] {
  return [email, phone].filter((contact) => contact !== null);
}

interface KeyRow {
  readonly person_id: number;
  readonly email: boolean;
  readonly phone: boolean;
  readonly first_name: boolean;
}

/** One look-up in the index of match_key for each contact, whoever shares it. */
const SELECT_CANDIDATES = `
  SELECT person_id, bool_or(kind = 'email') AS email, bool_or(kind = 'phone') AS phone,
    bool_or(first_name = $2) AS first_name
  FROM match_key
  WHERE contact = ANY ($4::text[]) AND last_name = $1 AND first_name = ANY ($3::text[])
  GROUP BY person_id`;

/** All persons who are this giver by the points of match-points.ts, best first. A merged person is never among them. */
export async function matchPersons(tx: EntityManager, giver: FoldedGiver): Promise<Candidate[]> {
  if (giver.first === null || giver.last === null) return [];
  const firstNames = [giver.first, ...shortFormsOf(giver.first)];
  const rows = await sqlRows<KeyRow>(tx, SELECT_CANDIDATES, [giver.last, giver.first, firstNames, contactsOf(giver)]);
  return rankMatches(rows.map((row) => ({ personId: row.person_id, evidence: evidenceOf(row) })));
}

function evidenceOf(row: KeyRow): Evidence[] {
  return [
    'lastName',
    row.first_name ? 'firstName' : 'shortForm',
    ...(row.email ? (['email'] as const) : []),
    ...(row.phone ? (['phone'] as const) : []),
  ];
}
