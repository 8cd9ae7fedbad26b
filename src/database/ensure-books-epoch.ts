import { Logger } from '@nestjs/common';
import type { ClientBase } from 'pg';
import { sqlState, UNDEFINED_FUNCTION } from './sqlstate.js';

/**
 * Begins a new epoch of the books where the database was restored, or another server took over, since it was last used.
 * To be called on each new connection, before it gives out an id; among several callers one begins it.
 */
export async function ensureBooksEpoch(client: ClientBase): Promise<void> {
  try {
    const { rows } = await client.query<{ reason: string | null }>('SELECT ensure_books_epoch() AS reason');
    const reason = rows[0]?.reason ?? null;
    if (reason === null) return;
    new Logger('Database').warn(
      `A new epoch of the books has begun: ${reason}. Ids continue with a gap, and positions in lists from after the ` +
        'state that the books are in now are refused',
    );
  } catch (error) {
    // Before its migration: readiness tells what is missing, and nothing can be recorded.
    if (sqlState(error) !== UNDEFINED_FUNCTION) throw error;
  }
}
