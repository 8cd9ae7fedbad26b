import type { EntityManager } from 'typeorm';
import { isoInstant, sqlRow, sqlRows } from '../../database/index.js';
import { TEST_TYPE } from '../endpoints/event-types.js';
import { WebhookNotFoundError } from '../errors.js';
import type { WebhookView } from './webhook-view.js';

const countOf = (condition: string): string =>
  `(SELECT count(*)::integer FROM webhook_delivery d WHERE d.endpoint_id = e.id AND ${condition})`;

/** A failed test is no event that a receiver misses. */
export const GIVEN_UP = `d.status = 'failed' AND d.type <> '${TEST_TYPE}'`;

const SELECT = `
  SELECT e.id, e.url, e.events, u.username AS "user",
    CASE WHEN e.disabled_at IS NULL THEN 'enabled' WHEN e.disabled_by IS NULL THEN 'gone' ELSE 'disabled' END AS status,
    ${countOf("d.status = 'pending'")} AS pending, ${countOf(GIVEN_UP)} AS failed, e.secret_version AS "secretVersion",
    ${isoInstant('CASE WHEN e.former_secret_until > now() THEN e.former_secret_until END')} AS "formerSecretUntil",
    ${isoInstant('e.created_at')} AS "createdAt", e.created_by AS "createdBy", ${isoInstant('e.disabled_at')} AS "disabledAt",
    e.disabled_by AS "disabledBy"
  FROM webhook_endpoint e LEFT JOIN app_user u ON u.id = e.user_id`;

/** @throws WebhookNotFoundError */
export async function readWebhook(tx: EntityManager, id: number): Promise<WebhookView> {
  const webhook = await sqlRow<WebhookView>(tx, `${SELECT} WHERE e.id = $1`, [id]);
  if (webhook === undefined) throw new WebhookNotFoundError(id);
  return webhook;
}

/** All endpoints, ordered by id. */
export async function readWebhooks(tx: EntityManager): Promise<WebhookView[]> {
  return sqlRows<WebhookView>(tx, `${SELECT} ORDER BY e.id`);
}
