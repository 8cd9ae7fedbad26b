import { Logger } from '@nestjs/common';
import type { ClientBase } from 'pg';
import { driverError, SEQUENCE_LIMIT_EXCEEDED, sqlState, UNDEFINED_FUNCTION } from '../errors/sqlstate.js';

const logger = new Logger('Database');

/** How often the log says that no epoch can begin, in milliseconds. Each new connection tries to begin one. */
const REFUSAL_LOG_INTERVAL_MS = 60_000;
let refusalLoggedAt = -Infinity;

/**
 * Begins a new epoch of the books if the database was restored, or another server took over, since it was last used.
 * It must be called on each new connection before an id is taken. Of several concurrent callers one begins the epoch.
 */
export async function ensureBooksEpoch(client: ClientBase): Promise<void> {
  try {
    const { rows } = await client.query<{ reason: string | null }>('SELECT ensure_books_epoch() AS reason');
    const reason = rows[0]?.reason ?? null;
    if (reason === null) return;
    logger.warn(
      `A new epoch of the books has begun: ${reason}. Ids continue after a gap, and lists refuse positions from after ` +
        'the current state of the books',
    );
  } catch (error) {
    // The migration is pending. Readiness says so, and nothing can be recorded until then.
    if (sqlState(error) === UNDEFINED_FUNCTION) return;
    if (sqlState(error) === SEQUENCE_LIMIT_EXCEEDED) logRefusal(driverError(error)?.message ?? '');
    throw error;
  }
}

/** Logs the migration's message, which contains a sequence, numbers and advice, but no personal data. */
function logRefusal(message: string): void {
  if (performance.now() - refusalLoggedAt < REFUSAL_LOG_INTERVAL_MS) return;
  refusalLoggedAt = performance.now();
  logger.error(`No gift can be recorded: ${message}`);
}
