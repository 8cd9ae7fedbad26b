import type { EntityManager } from 'typeorm';
import { sqlRow, sqlRows } from '../../database/index.js';
import type { ReversalFacts } from '../notices/notice-facts.js';
import { messageIdOf } from './message-id.js';

/** A notice on its way to one recipient. */
export interface Delivery {
  readonly id: number;
  readonly recipient: string;
  readonly messageId: string;
  readonly status: 'pending' | 'sent' | 'failed';
  /** Since it was created or asked for again, like the age. */
  readonly attempts: number;
  /** By the database's clock. */
  readonly ageSeconds: number;
  readonly reversal: ReversalFacts;
}

/** Adds a delivery for each recipient that the notice has none for. @returns the ids of those added. */
export async function addDeliveries(
  tx: EntityManager,
  noticeId: string,
  recipients: readonly string[],
): Promise<number[]> {
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
  const notice = await sqlRow<{ id: number }>(
    tx,
    `SELECT (content ->> 'contributionId')::integer AS id FROM notice WHERE id = $1`,
    [noticeId],
  );
  if (notice === undefined) throw new Error(`There is no notice ${noticeId}`);
  return notice.id;
}

export async function readDelivery(tx: EntityManager, id: number): Promise<Delivery | undefined> {
  return await sqlRow<Delivery>(
    tx,
    `SELECT d.id, d.recipient, d.message_id AS "messageId", d.status,
       d.attempts - d.attempts_before AS attempts,
       extract(epoch FROM now() - COALESCE(d.asked_again_at, d.created_at))::float8 AS "ageSeconds", n.content AS reversal
     FROM delivery d JOIN notice n ON n.id = d.notice_id
     WHERE d.id = $1`,
    [id],
  );
}

export async function markSent(tx: EntityManager, id: number): Promise<void> {
  await sqlRows(
    tx,
    `UPDATE delivery
     SET status = 'sent', attempts = attempts + 1, sent_at = now(), next_try_at = NULL, last_error = NULL
     WHERE id = $1 AND status <> 'sent'`,
    [id],
  );
}

/** Notes a try that failed, and when the next one is due. */
export async function postpone(tx: EntityManager, id: number, error: string, seconds: number): Promise<void> {
  await sqlRows(
    tx,
    `UPDATE delivery
     SET attempts = attempts + 1, last_error = $2, next_try_at = now() + make_interval(secs => $3)
     WHERE id = $1 AND status = 'pending'`,
    [id, error, seconds],
  );
}

/** Notes the last try, which failed as well. */
export async function markFailed(tx: EntityManager, id: number, error: string): Promise<void> {
  await sqlRows(
    tx,
    `UPDATE delivery SET status = 'failed', attempts = attempts + 1, last_error = $2, next_try_at = NULL
     WHERE id = $1 AND status = 'pending'`,
    [id, error],
  );
}

/** How many deliveries have been tried in vain so far and wait for another try. */
export async function countWaiting(tx: EntityManager): Promise<number> {
  const row = await sqlRow<{ waiting: number }>(
    tx,
    `SELECT count(*)::integer AS waiting FROM delivery WHERE status = 'pending' AND attempts > 0`,
  );
  return row?.waiting ?? 0;
}

/** How many deliveries of the last ten days were given up: whoever was to be told is still to be told. */
export async function countFailed(tx: EntityManager): Promise<number> {
  const row = await sqlRow<{ failed: number }>(
    tx,
    `SELECT count(*)::integer AS failed FROM delivery
     WHERE status = 'failed' AND created_at > now() - interval '10 days'`,
  );
  return row?.failed ?? 0;
}
