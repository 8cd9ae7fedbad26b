import type { EntityManager } from 'typeorm';
import { prepared, sqlRow } from '../../database/index.js';
import type { Giver } from './giver.js';
import { type Doubt, MAX_SIMILAR_PERSONS } from './giver-doubts.js';
import { isImpersonalAddress } from './impersonal-address.js';
import type { Evidence } from './match-points.js';
import type { FoldedGiver, LockedMatch } from './match-person.js';

/** A new contact of a person, which came with a matched gift. */
interface UnconfirmedContact {
  readonly kind: 'email' | 'phone';
  /** Whether the person has another contact of this kind. */
  readonly differs: boolean;
  /** Other persons who have it. */
  readonly persons: readonly number[];
}

const KINDS = ['email', 'phone'] as const;

/** The subqueries of RETURNING do not see the new contact: they read the table as it was before the statement. */
const INSERT_CONTACT = prepared(`
  INSERT INTO contact (id, person_id, kind, value, folded, confirmed, folded_by) OVERRIDING SYSTEM VALUE
  VALUES (next_id('contact_id_seq'), $1, $2, $3, $4, false, $5)
  ON CONFLICT ON CONSTRAINT contact_once_per_person DO NOTHING
  RETURNING
    EXISTS (SELECT FROM contact own WHERE own.person_id = $1 AND own.kind = $2 AND own.folded IS NOT NULL) AS differs,
    ARRAY(SELECT person_id FROM contact other WHERE other.kind = $2 AND other.folded = $4
      ORDER BY person_id LIMIT ${MAX_SIMILAR_PERSONS}) AS persons`);

/**
 * Stores the e-mail address and phone number of a matched gift as unconfirmed contacts, if they are new for the person.
 * Finance sees unconfirmed contacts. Matching uses a contact only after it is confirmed.
 */
export async function addUnconfirmedContacts(
  tx: EntityManager,
  personId: number,
  giver: Giver,
  folded: FoldedGiver,
  matchedOn: readonly Evidence[],
  rule: string,
): Promise<UnconfirmedContact[]> {
  const added: UnconfirmedContact[] = [];
  for (const kind of KINDS) {
    if (!isUnmatched(kind, folded, matchedOn)) continue;
    const values = [personId, kind, giver[kind], folded[kind], rule];
    const contact = await sqlRow<Omit<UnconfirmedContact, 'kind'>>(tx, INSERT_CONTACT, values);
    if (contact !== undefined) added.push({ kind, ...contact });
  }
  return added;
}

/** Whether {@link addUnconfirmedContacts} may add a contact. */
export function addsContacts(folded: FoldedGiver, matchedOn: readonly Evidence[]): boolean {
  return KINDS.some((kind) => isUnmatched(kind, folded, matchedOn));
}

function isUnmatched(kind: 'email' | 'phone', folded: FoldedGiver, matchedOn: readonly Evidence[]): boolean {
  return folded[kind] !== null && !matchedOn.includes(kind);
}

/**
 * Doubts whether the gift's new contact belongs to the person, who already has another contact of the same kind. Only
 * the first gift with this contact has the doubt: for later gifts the contact is no longer new. A contact causes no
 * doubt if another matching person has it, because the review lists that person anyway. An impersonal address causes
 * none either, because it says nothing about the giver.
 */
export function otherContactDoubts(
  added: readonly UnconfirmedContact[],
  { email }: FoldedGiver,
  others: readonly LockedMatch[],
): Doubt[] {
  return added
    .filter(({ differs }) => differs)
    .filter(({ kind }) => !others.some(({ evidence }) => evidence.includes(kind)))
    .filter(({ kind }) => kind !== 'email' || email === null || !isImpersonalAddress(email))
    .map(({ persons }) => ['other_contact', persons]);
}
