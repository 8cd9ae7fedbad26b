import type { EntityManager } from 'typeorm';
import { prepared, sqlRows } from '../../database/index.js';
import { survivingPersonId } from '../merging/surviving-person.js';
import { isSameAddress } from './fold-address.js';
import type { Giver } from './giver.js';
import type { FoldedGiver } from './match-person.js';

/** The most persons of one name that are compared. */
const MAX_NAMESAKES = 200;

/** Persons of the giver's name, each look-up in an index. Their addresses are compared in the program. */
const SELECT_NAMESAKES = prepared(`
  SELECT id, address, zip FROM (
    SELECT id, address, zip FROM person WHERE last_name_folded = $1 AND first_name_folded = $2
    UNION
    SELECT id, address, zip FROM person WHERE last_name_folded = $1 AND nickname_folded = $2
    UNION
    SELECT id, address, zip FROM person
    WHERE former_last_name_folded = $1 AND (first_name_folded = $2 OR nickname_folded = $2)
  ) namesake
  WHERE address IS NOT NULL
  ORDER BY id LIMIT ${MAX_NAMESAKES}`);

/**
 * The persons who have the name and the address of a giver without e-mail and phone, the lowest PeopleId first. A merged
 * person counts as the surviving one.
 */
export async function personsAtAddress(
  tx: EntityManager,
  giver: Giver,
  { last, first }: FoldedGiver,
): Promise<readonly number[]> {
  if (last === null || first === null || giver.address === null) return [];
  const rows = await sqlRows<Pick<Giver, 'address' | 'zip'> & { id: number }>(tx, SELECT_NAMESAKES, [last, first]);
  const survivors = new Set<number>();
  for (const row of rows) if (isSameAddress(row, giver)) survivors.add(await survivingPersonId(tx, row.id));
  return [...survivors].sort((a, b) => a - b);
}
