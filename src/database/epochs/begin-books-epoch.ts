import type { Client } from 'pg';
import { type Connection, openSession } from '../sessions/connection.js';
import { INSUFFICIENT_PRIVILEGE, sqlState } from '../errors/sqlstate.js';

/** A new epoch of the books (ADR 25), as it is shown to whoever began it. */
export interface BegunEpoch {
  readonly epoch: number;
  readonly reason: string;
  /** The contributions up to these numbers are the same as in the epoch before. */
  readonly lastId: number;
  readonly lastChange: number;
  /** The lowest numbers that will be given out now. */
  readonly idsFrom: number;
  readonly changesFrom: number;
}

const BEGIN = `
  SELECT number AS epoch, reason, fork_id AS "lastId", fork_change_no AS "lastChange", first_id AS "idsFrom",
    first_change_no AS "changesFrom"
  FROM begin_books_epoch($1, $2, $3)`;

/**
 * Begins a new epoch because an operator says that the books were restored.
 * @param idsAbove ids that were given out up to this one are not given out again, whatever the margin would leave out
 * @throws Error that says so, when this role may not.
 */
export async function beginBooksEpoch(
  owner: Connection,
  idsAbove: number | undefined,
  actor: string,
): Promise<BegunEpoch> {
  const client = await openSession(owner, 'offertory epoch');
  try {
    const { rows } = await client.query<BegunEpoch>(BEGIN, ['An operator restored the books', idsAbove, actor]);
    if (rows[0] === undefined) throw new Error('begin_books_epoch() returned no row');
    return rows[0];
  } catch (cause) {
    if (sqlState(cause) !== INSUFFICIENT_PRIVILEGE) throw cause;
    throw new Error(
      'An epoch is begun by the owner of the tables: set MIGRATION_DATABASE_URL to connect as that role.',
      {
        cause,
      },
    );
  } finally {
    await client.end();
  }
}

/** Has the books go on in this database with the epoch that they were in: they were moved, and nothing was lost. */
export async function keepBooksEpoch(client: Client): Promise<void> {
  await client.query(
    `UPDATE books_epoch SET identity = database_identity() WHERE number = (SELECT max(number) FROM books_epoch)`,
  );
}
