import { Injectable } from '@nestjs/common';
import { type EntityManager, In, Not } from 'typeorm';
import { type Actor, AuditTrail } from '../../audit/index.js';
import { isoInstant, Transactions } from '../../database/index.js';
import { JobQueue } from '../../jobs/index.js';
import { Delivery, type DeliveryStatus } from '../deliveries/delivery.entity.js';
import { addDeliveries } from '../deliveries/deliveries.js';
import { DeliveryNotFoundError, DeliverySentError } from '../errors.js';
import { FinanceRecipients } from '../finance-recipients.js';
import { SEND_DELIVERY, type SendDeliveryJob } from '../queues.js';
import { NOTIFICATION_ACTIONS } from '../audit-actions.js';
import { DELIVERIES_PER_LIST, type DeliveryDetails, type DeliverySummary } from './notice-view.js';

const NO_RECIPIENT =
  'no recipient: give a user the role Finance and an e-mail address, or set FINANCE_EMAILS; it is sent within a minute';
const RECIPIENT_FOUND = 'it is sent within a minute by the running service';

/** Selects what is pending and what was given up. */
export const UNSENT = 'unsent';

/** The filter of a list of deliveries. Undefined fields do not filter. */
export interface DeliveryFilter {
  readonly status?: DeliveryStatus | typeof UNSENT | undefined;
  /** Only deliveries with a lower id: the last id of the previous page. */
  readonly before?: number | undefined;
}

const SUMMARY = `
  d.id, (n.content ->> 'contributionId')::integer AS "contributionId", d.recipient, COALESCE(d.status, 'pending') AS status,
  COALESCE(d.attempts, 0) AS attempts, ${isoInstant('d.next_try_at')} AS "nextTry", d.last_error AS "lastError",
  ${isoInstant('d.sent_at')} AS "sentAt", n.content ->> 'amount' AS amount, n.content ->> 'currency' AS currency,
  n.content ->> 'reason' AS reason, n.content ->> 'reversedAt' AS "reversedAt"`;

const SELECT_DELIVERIES = `
  SELECT ${SUMMARY}, NULL AS note FROM delivery d JOIN notice n ON n.id = d.notice_id
  WHERE ($1::text IS NULL OR d.status = $1 OR $1 = '${UNSENT}' AND d.status <> 'sent') AND ($2::integer IS NULL OR d.id < $2)
  ORDER BY d.id DESC LIMIT ${DELIVERIES_PER_LIST}`;

const SELECT_WITHOUT_RECIPIENT = `
  SELECT ${SUMMARY}, NULL AS note FROM notice n LEFT JOIN delivery d ON d.notice_id = n.id
  WHERE d.id IS NULL ORDER BY n.created_at DESC, n.id LIMIT ${DELIVERIES_PER_LIST}`;

/** A page of {@link Notices.list}. */
export interface DeliveryPage {
  readonly deliveries: readonly DeliverySummary[];
  /** What the next page begins after; null on the last page. */
  readonly next: number | null;
}

/** Lists deliveries of notices, and retries them. They are kept for ever, although the queue deletes its jobs. */
@Injectable()
export class Notices {
  constructor(
    private readonly transactions: Transactions,
    private readonly queue: JobQueue,
    private readonly recipients: FinanceRecipients,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Lists at most 200 deliveries, the newest first. On the first page, at most 200 notices without a recipient come before
   * them: they have no id to continue after.
   */
  async list({ status, before }: DeliveryFilter): Promise<DeliveryPage> {
    const mayWait = before === undefined && (status === undefined || status === 'pending' || status === UNSENT);
    const waiting = mayWait ? await this.withoutRecipient() : [];
    const deliveries = await this.transactions.query<DeliverySummary>(SELECT_DELIVERIES, [status, before]);
    const last = deliveries.length === DELIVERIES_PER_LIST ? deliveries.at(-1) : undefined;
    return { deliveries: [...waiting, ...deliveries], next: last?.id ?? null };
  }

  private async withoutRecipient(): Promise<DeliverySummary[]> {
    const found = await this.transactions.query<DeliverySummary>(SELECT_WITHOUT_RECIPIENT);
    if (found.length === 0) return [];
    const note = (await this.recipients.addresses()).length === 0 ? NO_RECIPIENT : RECIPIENT_FOUND;
    return found.map((delivery) => ({ ...delivery, note }));
  }

  /** @throws DeliveryNotFoundError */
  async show(id: number): Promise<DeliveryDetails> {
    const [delivery] = await this.transactions.query<DeliveryDetails>(
      `SELECT ${SUMMARY}, d.message_id AS "messageId", ${isoInstant('d.created_at')} AS "createdAt",
         ${isoInstant('d.asked_again_at')} AS "askedAgainAt"
       FROM delivery d JOIN notice n ON n.id = d.notice_id WHERE d.id = $1`,
      [id],
    );
    if (delivery === undefined) throw new DeliveryNotFoundError([id]);
    return delivery;
  }

  /**
   * Retries deliveries now: those with these ids, or all that are not sent. A delivery that was given up gets another
   * three days of tries. New recipients, for example with a corrected address, are notified of the same reversals.
   * @param by default: the command line.
   * @returns the number of deliveries to be sent.
   * @throws DeliveryNotFoundError, DeliverySentError; nothing is changed.
   */
  async retry(ids: readonly number[] | 'all', by?: Actor): Promise<number> {
    const addresses = await this.recipients.addresses();
    return this.transactions.run(async (tx) => {
      const rows = await tx.getRepository(Delivery).find({
        where: ids === 'all' ? { status: Not('sent') } : { id: In([...ids]) },
        order: { id: 'ASC' },
        lock: { mode: 'pessimistic_write' },
      });
      if (ids !== 'all') assertAllUnsent(ids, rows);
      await this.requeue(
        tx,
        rows.map(({ id }) => id),
      );
      const subject = rows.map(({ id }) => `delivery ${id}`);
      await this.audit.record(tx, { action: NOTIFICATION_ACTIONS.retry, subject, ...(by !== undefined && { by }) });
      const added = await this.addRecipients(tx, new Set(rows.map(({ noticeId }) => noticeId)), addresses);
      return rows.length + added;
    });
  }

  /** Retries one delivery, as {@link retry} does. @returns the delivery. */
  async retryOne(id: number, by: Actor): Promise<DeliveryDetails> {
    try {
      await this.retry([id], by);
    } catch (error) {
      throw error instanceof DeliverySentError ? new DeliverySentError([id], await this.show(id)) : error;
    }
    return this.show(id);
  }

  /** Who has sent a delivery again last: a user's name, or "command line"; undefined if the audit trail does not have it. */
  async lastRetriedBy(id: number): Promise<string | undefined> {
    const filter = { action: NOTIFICATION_ACTIONS.retry, subject: `delivery ${id}` };
    const [last] = await this.audit.list(filter);
    return last?.actor;
  }

  private async addRecipients(
    tx: EntityManager,
    noticeIds: ReadonlySet<string>,
    addresses: readonly string[],
  ): Promise<number> {
    const added: SendDeliveryJob[] = [];
    for (const noticeId of noticeIds) {
      for (const deliveryId of await addDeliveries(tx, noticeId, addresses)) added.push({ deliveryId });
    }
    for (const job of added) await this.queue.enqueue(tx, SEND_DELIVERY, job);
    return added.length;
  }

  /** A pending delivery already has a job, which is made due now. A second job would send the mail twice. */
  private async requeue(tx: EntityManager, ids: readonly number[]): Promise<void> {
    const now = (): string => 'now()';
    await tx.getRepository(Delivery).update(
      { id: In([...ids]) },
      // What failed before says nothing of the tries that begin now.
      { status: 'pending', nextTryAt: now, lastError: null, askedAgainAt: now, attemptsBefore: () => 'attempts' },
    );
    const jobs = ids.map((deliveryId): SendDeliveryJob => ({ deliveryId }));
    const queued = new Set((await this.queue.hasten(tx, SEND_DELIVERY, jobs)).map(({ deliveryId }) => deliveryId));
    for (const job of jobs) if (!queued.has(job.deliveryId)) await this.queue.enqueue(tx, SEND_DELIVERY, job);
  }
}

function assertAllUnsent(ids: readonly number[], rows: readonly { id: number; status: DeliveryStatus }[]): void {
  const status = new Map(rows.map((row) => [row.id, row.status]));
  const unknown = ids.filter((id) => !status.has(id));
  if (unknown.length > 0) throw new DeliveryNotFoundError(unknown);
  const sent = ids.filter((id) => status.get(id) === 'sent');
  if (sent.length > 0) throw new DeliverySentError(sent);
}
