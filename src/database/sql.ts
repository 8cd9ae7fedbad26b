import type { EntityManager, QueryRunner } from 'typeorm';

/**
 * The rows of one statement written in SQL, run in `tx`.
 * TypeORM's plain `query()` has another shape for UPDATE … RETURNING; this has one for all.
 */
export async function sqlRows<Row>(tx: EntityManager, text: string, values: readonly unknown[] = []): Promise<Row[]> {
  const { records } = await runnerOf(tx).query(text, [...values], true);
  return records as Row[];
}

/** The first row of {@link sqlRows}, or undefined when there is none. */
export async function sqlRow<Row>(
  tx: EntityManager,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row | undefined> {
  return (await sqlRows<Row>(tx, text, values))[0];
}

function runnerOf(tx: EntityManager): QueryRunner {
  if (tx.queryRunner === undefined) throw new Error('This needs the EntityManager of a transaction: Transactions.run');
  return tx.queryRunner;
}
