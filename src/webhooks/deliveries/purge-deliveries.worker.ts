import { Injectable, OnModuleInit } from '@nestjs/common';
import { Transactions } from '../../database/index.js';
import { inSteps, JobQueue } from '../../jobs/index.js';
import { PURGE_WEBHOOK_DELIVERIES } from './queues.js';

/** How long a delivery is listed after it was delivered. */
export const KEPT_DAYS = 30;

/** How long one that was given up is listed, and can be replayed. */
export const KEPT_DAYS_IF_FAILED = 90;

const EVERY_SECONDS = 3_600;
/** Few enough to be deleted in milliseconds. */
const BATCH = 1_000;

const DELETE_BATCH = `
  DELETE FROM webhook_delivery WHERE id = ANY (ARRAY(
    SELECT id FROM webhook_delivery
    WHERE settled_at < now() - make_interval(days => ${KEPT_DAYS})
      AND (status = 'delivered' OR settled_at < now() - make_interval(days => ${KEPT_DAYS_IF_FAILED}))
    LIMIT ${BATCH} FOR UPDATE SKIP LOCKED))
  RETURNING id`;

/** Deletes old deliveries every hour, in small batches. */
@Injectable()
export class PurgeDeliveriesWorker implements OnModuleInit {
  constructor(
    private readonly queue: JobQueue,
    private readonly transactions: Transactions,
  ) {}

  onModuleInit(): void {
    this.queue.handleEvery(EVERY_SECONDS, PURGE_WEBHOOK_DELIVERIES, (_data, { signal }) =>
      inSteps(signal, async () => (await this.transactions.query(DELETE_BATCH)).length === BATCH),
    );
  }
}
