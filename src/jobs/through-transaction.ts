import type PgBoss from 'pg-boss';
import type { EntityManager } from 'typeorm';
import { sqlRows } from '../database/index.js';

/** Lets pg-boss run its statement in `tx`, so that it is committed or rolled back with everything else there. */
export function throughTransaction(tx: EntityManager): PgBoss.Db {
  return { executeSql: async (text, values) => ({ rows: await sqlRows(tx, text, values) }) };
}
