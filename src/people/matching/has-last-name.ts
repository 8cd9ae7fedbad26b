import type { EntityManager } from 'typeorm';
import { prepared, sqlRows } from '../../database/index.js';

const SELECT_LAST_NAME = prepared(`
  WITH RECURSIVE same AS (
    SELECT id, last_name_folded, former_last_name_folded FROM person WHERE id = $1
    UNION
    SELECT p.id, p.last_name_folded, p.former_last_name_folded
    FROM same, LATERAL (SELECT * FROM person WHERE merged_into = same.id OFFSET 0) p
  )
  SELECT 1 FROM same WHERE $2 IN (last_name_folded, former_last_name_folded) LIMIT 1`);

/** Whether this is a current or former last name of the person, or of a person that was merged into it. */
export async function hasLastName(
  tx: EntityManager,
  personId: number,
  foldedLastName: string | null,
): Promise<boolean> {
  const rows = await sqlRows(tx, SELECT_LAST_NAME, [personId, foldedLastName]);
  return rows.length > 0;
}
