import type { EntityManager } from 'typeorm';
import { sqlRow } from '../../database/index.js';
import { InvalidRequestError } from '../../http/index.js';
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

/** A contact that somebody has typed, and the field of the request in which it is. */
interface TypedContact extends Pick<NewContact, 'kind' | 'value' | 'country'> {
  readonly field: string;
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

/** What a value that matching can use looks like. */
const USABLE = { email: 'must be one e-mail address', phone: 'must be a valid phone number' } as const;

/**
 * What Finance enters must be usable for matching. What a processor sends is stored in any case, because the gift is made.
 * @returns the folded value.
 * @throws InvalidRequestError for a value that matching cannot use, such as "n/a".
 */
export function foldUsable({ kind, value, country, field }: TypedContact): string {
  const folded = foldContact(kind, value, country);
  if (folded === null) throw InvalidRequestError.ofFields([{ field, message: USABLE[kind] }]);
  return folded;
}

/**
 * Adds a confirmed contact, unless the person has it. The person must be locked against a merge.
 * @throws InvalidRequestError as {@link foldUsable}.
 */
export async function addConfirmedContact(
  tx: EntityManager,
  { peopleId, ...typed }: NewContact & TypedContact,
): Promise<AddedContact> {
  const { kind, value, country } = typed;
  const values = [peopleId, kind, value, foldUsable(typed), foldingRule(country)];
  const added = await sqlRow<AddedContact>(tx, PUT_CONTACT, values);
  if (added === undefined) throw new Error('INSERT … RETURNING returned no row');
  return added;
}
