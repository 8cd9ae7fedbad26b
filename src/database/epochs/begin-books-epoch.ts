import type { Client } from 'pg';
import { type Connection, openSession } from '../sessions/connection.js';
import { INSUFFICIENT_PRIVILEGE, sqlState } from '../errors/sqlstate.js';

/** A new epoch of the books (ADR 25), as the command prints it. */
export interface NewEpoch {
  readonly epoch: number;
  readonly reason: string;
  /** The contributions up to these numbers are the same as in the previous epoch. */
  readonly lastId: number;
  readonly lastChange: number;
  /** The lowest new numbers. */
  readonly idsFrom: number;
  readonly changesFrom: number;
}

const BEGIN = `
  SELECT number AS epoch, reason, fork_id AS "lastId", fork_change_no AS "lastChange", first_id AS "idsFrom",
    first_change_no AS "changesFrom"
  FROM begin_books_epoch($1, $2, $3)`;

/**
 * Begins a new epoch at an operator's request, after a restore.
 * @param idsAbove new ids are higher than this one, even if the usual gap is smaller
 * @throws Error with advice, when this role is not the owner of the tables.
 */
export async function beginBooksEpoch(
  owner: Connection,
  idsAbove: number | undefined,
  actor: string,
): Promise<NewEpoch> {
  const client = await openSession(owner, 'offertory epoch');
  try {
    const { rows } = await client.query<NewEpoch>(BEGIN, ['An operator restored the books', idsAbove, actor]);
    if (rows[0] === undefined) throw new Error('begin_books_epoch() returned no row');
    return rows[0];
  } catch (cause) {
    if (sqlState(cause) !== INSUFFICIENT_PRIVILEGE) throw cause;
    throw new Error(
      'Only the owner of the tables can begin an epoch: set MIGRATION_DATABASE_URL to connect as that role.',
      { cause },
    );
  } finally {
    await client.end();
  }
}

/** Makes the current epoch valid in this database, after the books were moved to it without loss. */
export async function continueBooksEpoch(client: Client): Promise<void> {
  await client.query(
    `UPDATE books_epoch SET identity = database_identity() WHERE number = (SELECT max(number) FROM books_epoch)`,
  );
}

/**
 * Begins a new epoch after a reset of a test system, in its transaction. Nothing of the books before is left, so every position
 * in a list is refused. The ids go on where they were.
 */
export async function beginEpochOfReset(client: Client): Promise<void> {
  await client.query(`
    INSERT INTO books_epoch (number, token, reason, fork_id, fork_change_no, first_id, first_change_no, identity)
    SELECT number + 1, left(replace(gen_random_uuid()::text, '-', ''), 12), 'The test system was reset', 0, 0,
      coalesce(pg_sequence_last_value('contribution_id_seq'), 0)::integer + 1,
      coalesce(pg_sequence_last_value('contribution_change_no_seq'), 0)::integer + 1, identity
    FROM books_epoch ORDER BY number DESC LIMIT 1`);
}
