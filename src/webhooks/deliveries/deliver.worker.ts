import { Injectable, Logger, OnModuleInit } from '@nestjs/common';
import { AuditTrail } from '../../audit/index.js';
import { Configuration } from '../../config/index.js';
import { DatabaseClock, Transactions } from '../../database/index.js';
import { JobQueue, type RunningJob } from '../../jobs/index.js';
import { WEBHOOK_ACTIONS } from '../audit-actions.js';
import { TEST_TYPE } from '../endpoints/event-types.js';
import { disableGone } from '../endpoints/disable-gone.js';
import { DELIVER_WEBHOOKS, type DeliverWebhooksJob } from './queues.js';
import { type AttemptResult, resultOfAnswer, resultOfError } from '../sending/attempt-result.js';
import { postMessage } from '../sending/post-message.js';
import { signMessage } from '../sending/signed-message.js';
import { type DueDelivery, type DueEndpoint, readDue, type RecordedAttempt, recordAttempts } from './due-deliveries.js';
import { secondsToNextAttempt } from './retry-schedule.js';
import { WebhookMetrics } from './webhook-metrics.js';

/** How many endpoints a process serves at the same time. */
const CONCURRENCY = 20;

/** After so long, in milliseconds, a job ends although more is due: then it is another endpoint's turn. */
const LONGEST_RUN_MS = 30_000;

/** An attempt that has ended. */
interface Attempt {
  readonly delivery: DueDelivery;
  readonly result: AttemptResult;
}

/**
 * Sends the due deliveries of an endpoint, some at a time, and records what became of them. It holds no database connection while it
 * sends. If the process is killed in between, they are sent again: a delivery is made at least once.
 */
@Injectable()
export class DeliverWorker implements OnModuleInit {
  private readonly logger = new Logger(DeliverWorker.name);

  constructor(
    private readonly queue: JobQueue,
    private readonly transactions: Transactions,
    private readonly clock: DatabaseClock,
    private readonly audit: AuditTrail,
    private readonly metrics: WebhookMetrics,
    private readonly configuration: Configuration,
  ) {}

  onModuleInit(): void {
    const concurrency = CONCURRENCY;
    this.queue.handle(DELIVER_WEBHOOKS, (data, job) => this.work(data as DeliverWebhooksJob, job), { concurrency });
  }

  private async work({ endpointId }: DeliverWebhooksJob, { signal }: RunningJob): Promise<void> {
    const begin = performance.now();
    while (performance.now() - begin < LONGEST_RUN_MS) {
      const due = await this.transactions.run((tx) => readDue(tx, endpointId));
      if (due === undefined) return;
      const ended = await Promise.all(due.deliveries.map((delivery) => this.attempt(due, delivery, signal)));
      await this.record(
        endpointId,
        ended.flatMap((attempt) => attempt ?? []),
      );
      signal.throwIfAborted();
    }
  }

  /** @returns undefined if the process is shutting down. Such an attempt is not counted. */
  private async attempt(
    { url, secrets }: DueEndpoint,
    delivery: DueDelivery,
    signal: AbortSignal,
  ): Promise<Attempt | undefined> {
    const { allowPrivate } = this.configuration.webhooks;
    const message = signMessage(delivery, secrets, this.clock.now());
    try {
      return { delivery, result: resultOfAnswer(await postMessage(new URL(url), message, { allowPrivate, signal })) };
    } catch (error) {
      return signal.aborted ? undefined : { delivery, result: resultOfError(error) };
    }
  }

  private async record(endpointId: number, attempts: readonly Attempt[]): Promise<void> {
    const recorded = attempts.map((attempt) => this.toRecord(attempt));
    const isGone = await this.transactions.run(async (tx) => {
      await recordAttempts(tx, recorded);
      if (!attempts.some(({ result }) => result.isGone) || !(await disableGone(tx, endpointId))) return false;
      await this.audit.record(tx, { action: WEBHOOK_ACTIONS.gone, subject: `webhook ${endpointId}` });
      return true;
    });
    this.metrics.countAttempts(recorded.map(({ outcome }) => outcome));
    this.log(endpointId, recorded, isGone);
  }

  private toRecord({ delivery, result }: Attempt): RecordedAttempt {
    const { id } = delivery;
    const { isDelivered, isGone, status: httpStatus, error } = result;
    if (isDelivered) return { id, outcome: 'delivered', httpStatus, error, wait: null };
    const factor = this.configuration.webhooks.retryFactor;
    const isLast = isGone || delivery.type === TEST_TYPE;
    const wait = isLast
      ? undefined
      : secondsToNextAttempt({ tries: delivery.tries + 1, chance: Math.random(), factor });
    return { id, outcome: wait === undefined ? 'failed' : 'pending', httpStatus, error, wait: wait ?? null };
  }

  private log(endpointId: number, recorded: readonly RecordedAttempt[], isGone: boolean): void {
    const notDelivered = recorded.filter(({ outcome }) => outcome !== 'delivered');
    const [first] = notDelivered;
    if (first === undefined) return;
    const failed = notDelivered.filter(({ outcome }) => outcome === 'failed');
    const what = `Webhook ${endpointId} failed for ${notDelivered.length} of ${recorded.length} messages`;
    this.logger.warn(`${what}; the first: ${first.error ?? ''}`);
    if (isGone) this.logger.error(`Webhook ${endpointId} is disabled: its receiver answered 410`);
    else if (failed.length > 0) this.logger.error(`Webhook ${endpointId} has given up ${failed.length} messages`);
  }
}
