import type { EntityManager } from 'typeorm';
import { sqlRow, sqlRows } from '../../database/index.js';
import type { ReadingProgress } from './reading-progress.entity.js';

/** The next contributions that a derived table does not have. */
export interface NewContributions {
  /** The last one that the table has. */
  readonly after: number;
  /** The last one of this step; equal to `after` if there is none. */
  readonly upTo: number;
  /** Whether there are more. */
  readonly more: boolean;
}

const LOCK_PROGRESS = 'SELECT up_to FROM reading_progress WHERE reader = $1 FOR UPDATE';

/** Ids can have large gaps (ADR 25), so a step counts rows. All of them up to the settled id are visible (ADR 18). */
const SELECT_STEP = `
  SELECT max(id) AS up_to, count(*)::integer AS count
  FROM (SELECT id FROM contribution WHERE id > $1 AND id <= $2 ORDER BY id LIMIT $3) step`;

/**
 * The next step for a derived table, which holds the other writers of the table back until `tx` ends. It must be the
 * first in `tx`.
 * @param limit contributions in the step.
 */
export async function lockNewContributions(
  tx: EntityManager,
  reader: ReadingProgress['reader'],
  limit: number,
): Promise<NewContributions> {
  const progress = await sqlRow<{ up_to: number }>(tx, LOCK_PROGRESS, [reader]);
  if (progress === undefined) throw new Error(`The table reading_progress has no row "${reader}"`);
  const after = progress.up_to;
  const settled = await sqlRow<{ id: number }>(tx, 'SELECT id FROM settled_contributions()');
  const step = await sqlRow<{ up_to: number | null; count: number }>(tx, SELECT_STEP, [after, settled?.id ?? 0, limit]);
  return { after, upTo: step?.up_to ?? after, more: step?.count === limit };
}

const STORE_PROGRESS = `
  UPDATE reading_progress SET up_to = $2, complete = complete OR NOT $3
  WHERE reader = $1 AND (up_to < $2 OR NOT complete)`;

/** Stores that the table has all contributions of the step. */
export async function storeProgress(
  tx: EntityManager,
  reader: ReadingProgress['reader'],
  { upTo, more }: NewContributions,
): Promise<void> {
  await sqlRows(tx, STORE_PROGRESS, [reader, upTo, more]);
}
