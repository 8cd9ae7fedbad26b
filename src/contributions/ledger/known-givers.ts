import { prepared, type Transactions } from '../../database/index.js';

const SELECT_KNOWN = prepared(`
  SELECT found.id FROM unnest($2::integer[]) AS found(id)
  WHERE EXISTS (SELECT FROM contribution c WHERE c.person_id = found.id AND c.added_by = $1)`);

/** The persons among these of whom this user has added a contribution. */
export async function knownGivers(
  transactions: Transactions,
  userId: number,
  personIds: readonly number[],
): Promise<ReadonlySet<number>> {
  const rows = await transactions.query<{ id: number }>(SELECT_KNOWN, [userId, personIds]);
  return new Set(rows.map(({ id }) => id));
}
