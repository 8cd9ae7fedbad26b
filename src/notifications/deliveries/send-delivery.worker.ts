import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, OnModuleInit } from '@nestjs/common';
import { Church, Configuration } from '../../config/index.js';
import { DatabaseClock, isDatabaseUnavailable, Transactions } from '../../database/index.js';
import { JobQueue, type RunningJob } from '../../jobs/index.js';
import { ComposeNotice } from '../notices/compose-notice.js';
import { senderOf } from '../transport/sender.js';
import { DeliveryMetrics } from './delivery-metrics.js';
import { type DeliveryToSend, markFailed, markSent, postpone, readDelivery } from './deliveries.js';
import { SEND_DELIVERY, type SendDeliveryJob } from '../queues.js';
import { secondsToNextTry } from './retry-schedule.js';
import { MailNotSentError, MailTransport } from '../transport/mail-transport.js';

/** Of one try, whatever the server does: a slow one, that takes 15 s a command, gets its time. */
const TRY_LIMIT_MS = 240_000;

/** Between two attempts at recording that a mail was sent, while the database is away. */
const RECORD_AGAIN_MS = 1_000;

/** Sends one delivery, and records what became of it. No connection to the database is held while it does. */
@Injectable()
export class SendDeliveryWorker implements OnModuleInit {
  private readonly logger = new Logger(SendDeliveryWorker.name);

  constructor(
    private readonly queue: JobQueue,
    private readonly transactions: Transactions,
    private readonly clock: DatabaseClock,
    private readonly transport: MailTransport,
    private readonly notices: ComposeNotice,
    private readonly metrics: DeliveryMetrics,
    private readonly configuration: Configuration,
    private readonly church: Church,
  ) {}

  onModuleInit(): void {
    this.queue.handle(SEND_DELIVERY, (data, job) => this.deliver(data as SendDeliveryJob, job));
  }

  private async deliver({ deliveryId }: SendDeliveryJob, job: RunningJob): Promise<void> {
    const delivery = await this.transactions.run((tx) => readDelivery(tx, deliveryId));
    if (delivery?.status !== 'pending') return;
    const fault = await this.trySending(delivery, job.signal);
    if (fault === undefined) await this.recordSent(delivery, job);
    else await this.recordFault(delivery, fault, job);
  }

  /** @returns why it was not sent. @throws when the try was cut short by a shutdown, which does not count as one. */
  private async trySending(delivery: DeliveryToSend, signal: AbortSignal): Promise<MailNotSentError | undefined> {
    const { recipient: to, messageId } = delivery;
    const from = senderOf(this.configuration.mail.from, this.church.name);
    const mail = { ...this.notices.of(delivery.reversal), from, to, messageId, date: this.clock.now() };
    try {
      await this.transport.send(mail, AbortSignal.any([signal, AbortSignal.timeout(TRY_LIMIT_MS)]));
      return undefined;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof MailNotSentError) return error;
      throw error;
    }
  }

  /** The mail is out: were this lost, it would be sent again. So a database that is away is waited for. */
  private async recordSent(delivery: DeliveryToSend, job: RunningJob): Promise<void> {
    const record = (): Promise<void> =>
      this.transactions.run(async (tx) => {
        await markSent(tx, delivery.id);
        await job.complete(tx);
      });
    await insist(record, job.signal);
    this.metrics.tried('sent');
    this.logger.log(`Delivery ${delivery.id} is sent: the reversal of contribution ${contributionOf(delivery)}`);
  }

  private async recordFault(delivery: DeliveryToSend, fault: MailNotSentError, job: RunningJob): Promise<void> {
    const { retryFactor } = this.configuration.mail;
    const tries = delivery.attempts + 1;
    const wait = fault.isFinal ? undefined : secondsToNextTry(tries, delivery.ageSeconds, Math.random(), retryFactor);
    await this.transactions.run(async (tx) => {
      const mine = await job.complete(tx);
      if (wait === undefined) {
        await markFailed(tx, delivery.id, fault.message);
        return;
      }
      await postpone(tx, delivery.id, fault.message, wait);
      const again: SendDeliveryJob = { deliveryId: delivery.id };
      // Out of time, this very job is tried again: a second one would go on beside it for ever.
      if (mine) await this.queue.enqueue(tx, SEND_DELIVERY, again, { startAfterSeconds: wait });
    });
    this.metrics.tried(wait === undefined ? 'failed' : 'postponed');
    const what = `Delivery ${delivery.id}, the reversal of contribution ${contributionOf(delivery)}`;
    if (wait === undefined) this.logger.error(`${what}, is given up after try ${tries}: ${fault.reason}`);
    else this.logger.warn(`${what}, is not sent, try ${tries}: ${fault.reason}; next try in ${Math.ceil(wait)} s`);
  }
}

/** Repeats `write` while the database is away, until the signal is aborted. */
async function insist(write: () => Promise<void>, signal: AbortSignal): Promise<void> {
  for (;;) {
    try {
      await write();
      return;
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
      await sleep(RECORD_AGAIN_MS, undefined, { signal });
    }
  }
}

function contributionOf({ reversal }: DeliveryToSend): number {
  return reversal.contributionId;
}
