import { Injectable, OnModuleInit } from '@nestjs/common';
import { Transactions } from '../../database/index.js';
import { JobQueue } from '../../jobs/index.js';
import { IS_UNEXPIRED } from './reading/session-validity.js';

const PURGE_SESSIONS = 'purge-sessions';
const EVERY_SECONDS = 600;
const BATCH = 1_000;

const DELETE_BATCH = `
  DELETE FROM session WHERE id = ANY (ARRAY(
    SELECT s.id FROM session s WHERE NOT (${IS_UNEXPIRED}) LIMIT ${BATCH} FOR UPDATE SKIP LOCKED))
  RETURNING 1`;

/** Deletes expired sessions every ten minutes, in small batches. */
@Injectable()
export class PurgeSessionsWorker implements OnModuleInit {
  constructor(
    private readonly queue: JobQueue,
    private readonly transactions: Transactions,
  ) {}

  onModuleInit(): void {
    this.queue.handleEvery(EVERY_SECONDS, PURGE_SESSIONS, (_data, { signal }) => this.purge(signal));
  }

  private async purge(signal: AbortSignal): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      const deleted = await this.transactions.query(DELETE_BATCH);
      if (deleted.length < BATCH) return;
    }
  }
}
