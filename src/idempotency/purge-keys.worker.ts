import { Injectable, OnModuleInit } from '@nestjs/common';
import { Transactions } from '../database/index.js';
import { JobQueue } from '../jobs/index.js';
import { RETENTION } from './idempotency.js';

const PURGE_KEYS = 'purge-idempotency-keys';
const EVERY_SECONDS = 3_600;
/** Few enough to be deleted in milliseconds, so that no call waits long for a row. */
const BATCH = 1_000;

const DELETE_BATCH = `
  DELETE FROM idempotency_key WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM idempotency_key WHERE created_at < now() - ${RETENTION} LIMIT ${BATCH} FOR UPDATE SKIP LOCKED))
  RETURNING 1`;

/** Deletes expired keys every hour, in small batches. */
@Injectable()
export class PurgeKeysWorker implements OnModuleInit {
  constructor(
    private readonly queue: JobQueue,
    private readonly transactions: Transactions,
  ) {}

  onModuleInit(): void {
    this.queue.handleEvery(EVERY_SECONDS, PURGE_KEYS, (_data, { signal }) => this.purge(signal));
  }

  private async purge(signal: AbortSignal): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      const deleted = await this.transactions.query(DELETE_BATCH);
      if (deleted.length < BATCH) return;
    }
  }
}
