import type { QueryRunner } from 'typeorm';

/**
 * Builds an index while gifts arrive, in a gradual migration (ADR 68). If a valid index of this name exists, an earlier attempt
 * was interrupted after it, and nothing is left to do. What an attempt has left unfinished is removed first.
 * @param columns what follows ON, such as `contribution (day, id) WHERE day > '2020-01-01'`
 * @param unique the build fails, with the values, if two rows are equal
 */
export async function buildIndex(
  database: QueryRunner,
  name: string,
  columns: string,
  { unique = false } = {},
): Promise<void> {
  const [found] = (await database.query('SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass($1)', [
    `public.${name}`,
  ])) as readonly { valid: boolean }[];
  if (found?.valid === true) return;
  if (found !== undefined) await database.query(`DROP INDEX CONCURRENTLY ${name}`);
  await database.query(`CREATE ${unique ? 'UNIQUE ' : ''}INDEX CONCURRENTLY ${name} ON ${columns}`);
}
