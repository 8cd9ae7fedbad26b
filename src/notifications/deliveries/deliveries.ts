import { type EntityManager, MoreThan, Not, Raw } from 'typeorm';
import { sqlRow, sqlRows } from '../../database/index.js';
import type { ReversalFacts } from '../notices/notice-facts.js';
import { Notice } from '../notices/notice.entity.js';
import { Delivery } from './delivery.entity.js';
import { messageIdOf } from './message-id.js';

/** The fields of a delivery that its worker needs. */
export interface DeliveryToSend extends Pick<Delivery, 'id' | 'recipient' | 'messageId' | 'status' | 'attempts'> {
  /** Seconds since it was created or last requested again, by the database's clock. `attempts` counts from then, too. */
  readonly ageSeconds: number;
  readonly reversal: ReversalFacts;
}

/** Adds a delivery for each recipient who does not yet have one of this notice. @returns the ids of those added. */
export async function addDeliveries(
  tx: EntityManager,
  noticeId: string,
  recipients: readonly string[],
): Promise<number[]> {
  // In SQL: TypeORM cannot name the constraint, and a violation of another one must not be ignored.
  const rows = await sqlRows<{ id: number }>(
    tx,
    `INSERT INTO delivery (notice_id, recipient, message_id)
     SELECT $1, recipient, message_id FROM unnest($2::text[], $3::text[]) AS addressed (recipient, message_id)
     ON CONFLICT ON CONSTRAINT delivery_one_per_recipient DO NOTHING
     RETURNING id`,
    [noticeId, recipients, recipients.map((recipient) => messageIdOf(noticeId, recipient))],
  );
  return rows.map(({ id }) => id);
}

/** The reversed contribution that a notice is about. */
export async function readContributionId(tx: EntityManager, noticeId: string): Promise<number> {
  const { content } = await tx.getRepository(Notice).findOneByOrFail({ id: noticeId });
  return content.contributionId;
}

/** Reads a delivery. Its age needs SQL, because only the database's clock counts. */
export async function readDelivery(tx: EntityManager, id: number): Promise<DeliveryToSend | undefined> {
  return sqlRow<DeliveryToSend>(
    tx,
    `SELECT d.id, d.recipient, d.message_id AS "messageId", d.status,
       d.attempts - d.attempts_before AS attempts,
       extract(epoch FROM now() - COALESCE(d.asked_again_at, d.created_at))::float8 AS "ageSeconds", n.content AS reversal
     FROM delivery d JOIN notice n ON n.id = d.notice_id
     WHERE d.id = $1`,
    [id],
  );
}

const ONE_MORE = { attempts: (): string => 'attempts + 1' };

export async function markSent(tx: EntityManager, id: number): Promise<void> {
  await tx
    .getRepository(Delivery)
    .update(
      { id, status: Not('sent') },
      { ...ONE_MORE, status: 'sent', sentAt: () => 'now()', nextTryAt: null, lastError: null },
    );
}

interface FailedAttempt {
  /** Of the delivery. */
  readonly id: number;
  readonly error: string;
}

/** Records a failed attempt. The next one is due in `seconds`. */
export async function postpone(
  tx: EntityManager,
  { id, error, seconds }: FailedAttempt & { readonly seconds: number },
): Promise<void> {
  await tx
    .createQueryBuilder()
    .update(Delivery)
    .set({ ...ONE_MORE, lastError: error, nextTryAt: () => 'now() + make_interval(secs => :seconds)' })
    .where({ id, status: 'pending' })
    .setParameter('seconds', seconds)
    .execute();
}

/** Records that the last attempt failed. */
export async function markFailed(tx: EntityManager, { id, error }: FailedAttempt): Promise<void> {
  await tx
    .getRepository(Delivery)
    .update({ id, status: 'pending' }, { ...ONE_MORE, status: 'failed', lastError: error, nextTryAt: null });
}

/** Counts the deliveries that could not be sent so far and wait for another attempt. */
export async function countWaiting(tx: EntityManager): Promise<number> {
  return tx.getRepository(Delivery).countBy({ status: 'pending', attempts: MoreThan(0) });
}

/** Counts the deliveries of the last ten days that were given up. Their recipients have not been notified. */
export async function countFailed(tx: EntityManager): Promise<number> {
  return tx
    .getRepository(Delivery)
    .countBy({ status: 'failed', createdAt: Raw((column) => `${column} > now() - interval '10 days'`) });
}
