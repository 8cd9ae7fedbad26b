import { Injectable, Logger, OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Transactions } from '../database/index.js';
import { JobQueue, type RunningJob } from '../jobs/index.js';
import { addDeliveries, readContributionId } from './deliveries/deliveries.js';
import { FinanceRecipients } from './finance-recipients.js';
import { NOTIFY_FINANCE, type NotifyFinanceJob, SEND_DELIVERY, type SendDeliveryJob } from './queues.js';

/** A notice without a recipient checks for one again after this time. */
const WAIT_FOR_RECIPIENT_SECONDS = 60;

/** A warning is logged after this many waits: once an hour. */
const WAITS_PER_WARNING = 60;

/** Creates one delivery of a notice for each current recipient. */
@Injectable()
export class NotifyFinanceWorker implements OnModuleInit {
  private readonly logger = new Logger(NotifyFinanceWorker.name);

  constructor(
    private readonly queue: JobQueue,
    private readonly transactions: Transactions,
    private readonly recipients: FinanceRecipients,
  ) {}

  onModuleInit(): void {
    this.queue.handle(NOTIFY_FINANCE, (data, job) => this.notify(data as NotifyFinanceJob, job));
  }

  private async notify(data: NotifyFinanceJob, job: RunningJob): Promise<void> {
    const addresses = await this.recipients.addresses();
    await this.transactions.run(async (tx) => {
      // If this job has timed out, the queue runs it again, and that run does the rest.
      if (!(await job.complete(tx))) return;
      if (addresses.length === 0) await this.retryLater(tx, data);
      else await this.queueDeliveries(tx, data.noticeId, addresses);
    });
    if (addresses.length === 0 && data.waits % WAITS_PER_WARNING === 0) await this.warn(data.noticeId);
  }

  private async queueDeliveries(tx: EntityManager, noticeId: string, addresses: readonly string[]): Promise<void> {
    for (const deliveryId of await addDeliveries(tx, noticeId, addresses)) {
      const delivery: SendDeliveryJob = { deliveryId };
      await this.queue.enqueue(tx, SEND_DELIVERY, delivery);
    }
  }

  private async retryLater(tx: EntityManager, { noticeId, waits }: NotifyFinanceJob): Promise<void> {
    const again: NotifyFinanceJob = { noticeId, waits: waits + 1 };
    await this.queue.enqueue(tx, NOTIFY_FINANCE, again, { startAfterSeconds: WAIT_FOR_RECIPIENT_SECONDS });
  }

  private async warn(noticeId: string): Promise<void> {
    const contributionId = await this.transactions.run((tx) => readContributionId(tx, noticeId));
    this.logger.warn(
      `No one is notified that contribution ${contributionId} was reversed: there is no recipient. Give a user the ` +
        'role Finance and an e-mail address, or set FINANCE_EMAILS. The notice waits for it.',
    );
  }
}
