import { Injectable, OnModuleInit } from '@nestjs/common';
import { Transactions } from '../../database/index.js';
import { inSteps, JobQueue } from '../../jobs/index.js';
import { type EndpointWithWork, giveUpOfDisabled, SELECT_ENDPOINTS_WITH_WORK } from './due-deliveries.js';
import { DELIVER_WEBHOOKS, type DeliverWebhooksJob, FIND_DUE_WEBHOOKS } from './queues.js';

const EVERY_SECONDS = 1;

/**
 * Looks every second for endpoints with due deliveries, and queues a job for each that has none. The transaction of an event
 * queues no job: with one for each event, a receiver that does not answer would hold up all others.
 */
@Injectable()
export class FindDueWorker implements OnModuleInit {
  constructor(
    private readonly queue: JobQueue,
    private readonly transactions: Transactions,
  ) {}

  onModuleInit(): void {
    this.queue.handleEvery(EVERY_SECONDS, FIND_DUE_WEBHOOKS, (_data, { signal }) => this.find(signal));
  }

  private async find(signal: AbortSignal): Promise<void> {
    const found = await this.transactions.query<EndpointWithWork>(SELECT_ENDPOINTS_WITH_WORK);
    const enabled = found.filter(({ isEnabled }) => isEnabled);
    if (enabled.length > 0) await this.queueJobs(enabled.map(({ id }) => id));
    if (enabled.length < found.length) await inSteps(signal, () => this.transactions.run(giveUpOfDisabled));
  }

  private async queueJobs(endpointIds: readonly number[]): Promise<void> {
    const jobs = endpointIds.map((endpointId): DeliverWebhooksJob => ({ endpointId }));
    await this.transactions.run(async (tx) => {
      const queued = new Set((await this.queue.hasten(tx, DELIVER_WEBHOOKS, jobs)).map(({ endpointId }) => endpointId));
      for (const job of jobs) if (!queued.has(job.endpointId)) await this.queue.enqueue(tx, DELIVER_WEBHOOKS, job);
    });
  }
}
