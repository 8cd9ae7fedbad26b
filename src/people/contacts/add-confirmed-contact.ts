import type { EntityManager } from 'typeorm';
import { sqlRow } from '../../database/index.js';
import { foldContact, foldingRule } from '../matching/folding.js';
import type { Contact } from './contact.entity.js';

/** An e-mail address or phone number of a person. */
export interface NewContact {
  readonly peopleId: number;
  readonly kind: Contact['kind'];
  readonly value: string;
  /** Of phone numbers without a country code (ISO 3166). */
  readonly country: string;
}

/** A contact that a person has now, and what the person had of it before. */
export interface AddedContact {
  readonly id: number;
  readonly before: 'nothing' | 'unconfirmed' | 'confirmed';
}

/** A contact of the person that is already there becomes confirmed. The subquery reads the table as it was before. */
const PUT_CONTACT = `
  INSERT INTO contact (person_id, kind, value, folded, confirmed, folded_by) VALUES ($1, $2, $3, $4, true, $5)
  ON CONFLICT ON CONSTRAINT contact_once_per_person DO UPDATE SET confirmed = true
  RETURNING id, COALESCE((
    SELECT CASE WHEN own.confirmed THEN 'confirmed' ELSE 'unconfirmed' END
    FROM contact own WHERE own.person_id = $1 AND own.kind = $2 AND own.folded = $4), 'nothing') AS before`;

/**
 * Adds a confirmed contact, unless the person has it. The person must be locked against a merge.
 * @returns undefined for a value that matching cannot use, such as "n/a", which is not added.
 */
export async function addConfirmedContact(
  tx: EntityManager,
  { peopleId, kind, value, country }: NewContact,
): Promise<AddedContact | undefined> {
  const folded = foldContact(kind, value, country);
  if (folded === null) return undefined;
  const added = await sqlRow<AddedContact>(tx, PUT_CONTACT, [peopleId, kind, value, folded, foldingRule(country)]);
  if (added === undefined) throw new Error('INSERT … RETURNING returned no row');
  return added;
}
