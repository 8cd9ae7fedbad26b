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

/** The limit of one try. It is long enough for a slow server that takes 15 s for each command. */
const TRY_LIMIT_MS = 240_000;

/** The wait between two attempts to record that a mail was sent, while the database is unavailable. */
const RECORD_AGAIN_MS = 1_000;

/** Sends one delivery, and records the outcome. It holds no database connection while it sends. */
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
    else await this.recordFailure(delivery, fault, job);
  }

  /** @returns why it was not sent, or undefined if it was. @throws if a shutdown aborts the try, which is not counted. */
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

  /** Waits for an unavailable database, because without this record the mail would be sent again. */
  private async recordSent(delivery: DeliveryToSend, job: RunningJob): Promise<void> {
    const record = (): Promise<void> =>
      this.transactions.run(async (tx) => {
        await markSent(tx, delivery.id);
        await job.complete(tx);
      });
    await retryWhileDatabaseIsAway(record, job.signal);
    this.metrics.countTry('sent');
    this.logger.log(
      `Delivery ${delivery.id} is sent: the reversal of contribution ${delivery.reversal.contributionId}`,
    );
  }

  private async recordFailure(delivery: DeliveryToSend, fault: MailNotSentError, job: RunningJob): Promise<void> {
    const { retryFactor } = this.configuration.mail;
    const tries = delivery.attempts + 1;
    const { ageSeconds } = delivery;
    const wait = fault.isFinal
      ? undefined
      : secondsToNextTry({ tries, ageSeconds, chance: Math.random(), factor: retryFactor });
    const failed = { id: delivery.id, error: fault.message };
    await this.transactions.run(async (tx) => {
      // The delivery before its job, the order in which a retry by Finance locks them.
      if (wait === undefined) await markFailed(tx, failed);
      else await postpone(tx, { ...failed, seconds: wait });
      const mine = await job.complete(tx);
      if (wait === undefined) return;
      const again: SendDeliveryJob = { deliveryId: delivery.id };
      // If this job has timed out, the queue runs it again, and a second job would be a duplicate.
      if (mine) await this.queue.enqueue(tx, SEND_DELIVERY, again, { startAfterSeconds: wait });
    });
    this.metrics.countTry(wait === undefined ? 'failed' : 'postponed');
    const what = `Delivery ${delivery.id}, the reversal of contribution ${delivery.reversal.contributionId}`;
    if (wait === undefined) this.logger.error(`${what}, is given up after try ${tries}: ${fault.reason}`);
    else this.logger.warn(`${what}, is not sent, try ${tries}: ${fault.reason}; next try in ${Math.ceil(wait)} s`);
  }
}

/** Repeats `write` while the database is unavailable, until the signal is aborted. */
async function retryWhileDatabaseIsAway(write: () => Promise<void>, signal: AbortSignal): Promise<void> {
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
