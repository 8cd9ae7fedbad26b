import { Logger } from '@nestjs/common';
import type { ClientBase } from 'pg';
import { driverError, SEQUENCE_LIMIT_EXCEEDED, sqlState, UNDEFINED_FUNCTION } from '../errors/sqlstate.js';

const logger = new Logger('Database');

/** How often the log tells that no epoch can begin, in milliseconds: each new connection tries. */
const REFUSAL_TOLD_EVERY_MS = 60_000;
let refusalTold = -Infinity;

/**
 * Begins a new epoch of the books where the database was restored, or another server took over, since it was last used.
 * To be called on each new connection, before it gives out an id; among several callers one begins it.
 */
export async function ensureBooksEpoch(client: ClientBase): Promise<void> {
  try {
    const { rows } = await client.query<{ reason: string | null }>('SELECT ensure_books_epoch() AS reason');
    const reason = rows[0]?.reason ?? null;
    if (reason === null) return;
    logger.warn(
      `A new epoch of the books has begun: ${reason}. Ids continue with a gap, and positions in lists from after the ` +
        'state that the books are in now are refused',
    );
  } catch (error) {
    // Before its migration: readiness tells what is missing, and nothing can be recorded.
    if (sqlState(error) === UNDEFINED_FUNCTION) return;
    if (sqlState(error) === SEQUENCE_LIMIT_EXCEEDED) tellRefusal(driverError(error)?.message ?? '');
    throw error;
  }
}

/** Its message is our own, from the migration: it names a sequence and numbers, and what to do. */
function tellRefusal(message: string): void {
  if (performance.now() - refusalTold < REFUSAL_TOLD_EVERY_MS) return;
  refusalTold = performance.now();
  logger.error(`No gift can be recorded: ${message}`);
}
