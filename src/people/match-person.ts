import type { EntityManager } from 'typeorm';
import { sqlRows } from '../database/index.js';
import { foldEmail, foldName, foldPhone } from './folding.js';
import type { Giver } from './giver.js';

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

/**
 * The ids of all persons who are this giver, best first (contract, "Matching"): last name, first name, and e-mail or
 * phone are equal; who matches on both comes before who matches on one, then the lowest id.
 */
export async function matchPersons(tx: EntityManager, giver: FoldedGiver): Promise<number[]> {
  const persons = await sqlRows<{ id: number }>(
    tx,
    `SELECT id FROM person
     WHERE last_name_folded = $1 AND first_name_folded = $2 AND (email_folded = $3 OR phone_folded = $4)
     ORDER BY (email_folded = $3 AND phone_folded = $4) IS TRUE DESC, id`,
    [giver.last, giver.first, giver.email, giver.phone],
  );
  return persons.map(({ id }) => id);
}
