import type { EntityManager } from 'typeorm';
import { prepared, sqlRows } from '../../../database/index.js';
import { foldName } from '../../../people/index.js';

/** A present or former name of a fund. */
export interface FundName {
  readonly fundId: number;
  readonly name: string;
  readonly isFormer: boolean;
}

const SELECT_NAMES = prepared(`
  SELECT id AS "fundId", name, false AS "isFormer" FROM fund
  UNION ALL
  SELECT fund_id, name, true FROM fund_former_name`);

/** All present and former names of funds. */
export async function readFundNames(tx: EntityManager): Promise<FundName[]> {
  return sqlRows<FundName>(tx, SELECT_NAMES);
}

/**
 * The ids of the funds with this name. A name is compared like names of persons: letter case, accents, spaces and
 * punctuation do not matter. A former name counts if no fund has the name now.
 */
export function fundsWithName(name: string, names: readonly FundName[]): number[] {
  const folded = foldName(name);
  const equal = names.filter((one) => foldName(one.name) === folded);
  const present = equal.filter(({ isFormer }) => !isFormer);
  return [...new Set((present.length > 0 ? present : equal).map(({ fundId }) => fundId))];
}

/** Lets only one transaction at a time give a name to a fund. */
export async function lockFundNames(tx: EntityManager): Promise<void> {
  await sqlRows(tx, `SELECT pg_advisory_xact_lock(hashtextextended('offertory.fund_names', 0))`);
}
