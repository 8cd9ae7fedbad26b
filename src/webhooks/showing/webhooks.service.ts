import { Injectable } from '@nestjs/common';
import { isoInstant, Transactions } from '../../database/index.js';
import type { WebhookDeliveryStatus } from '../deliveries/webhook-delivery.entity.js';
import { WebhookDeliveryNotFoundError } from '../errors.js';
import { webhookIdOf } from '../sending/signed-message.js';
import {
  DELIVERIES_PER_LIST,
  type WebhookDeliveryDetails,
  type WebhookDeliveryList,
  type WebhookDeliveryView,
} from './webhook-delivery-view.js';
import { readWebhook, readWebhooks } from './webhook-rows.js';
import type { WebhookView } from './webhook-view.js';

/** The filter of a list of deliveries. Undefined fields do not filter. */
export interface WebhookDeliveryFilter {
  readonly webhookId?: number | undefined;
  readonly status?: WebhookDeliveryStatus | undefined;
  /** Only deliveries with a lower id: the last id of the previous page. */
  readonly before?: number | undefined;
}

const COLUMNS = `
  d.id, d.endpoint_id AS "webhookId", d.type, ${isoInstant('d.occurred_at')} AS "occurredAt", d.status, d.attempts,
  ${isoInstant('d.next_try_at')} AS "nextTry", ${isoInstant('d.last_try_at')} AS "lastTry", d.last_status AS "lastStatus",
  d.last_error AS "lastError"`;

const SELECT_DELIVERIES = `
  SELECT ${COLUMNS} FROM webhook_delivery d
  WHERE ($1::integer IS NULL OR d.endpoint_id = $1) AND ($2::text IS NULL OR d.status = $2)
    AND ($3::integer IS NULL OR d.id < $3)
  ORDER BY d.id DESC LIMIT ${DELIVERIES_PER_LIST}`;

const SELECT_DETAILS = `
  SELECT ${COLUMNS}, d.message_id AS "messageId", d.data, ${isoInstant('d.settled_at')} AS "settledAt",
    ${isoInstant('d.replayed_at')} AS "replayedAt"
  FROM webhook_delivery d WHERE d.id = $1`;

/** Shows endpoints, without their secrets, and deliveries. */
@Injectable()
export class Webhooks {
  constructor(private readonly transactions: Transactions) {}

  /** All endpoints, ordered by id. */
  async list(): Promise<WebhookView[]> {
    return this.transactions.run(readWebhooks);
  }

  /** @throws WebhookNotFoundError */
  async show(id: number): Promise<WebhookView> {
    return this.transactions.run((tx) => readWebhook(tx, id));
  }

  /** At most 200 deliveries, the newest first. */
  async deliveries({ webhookId, status, before }: WebhookDeliveryFilter): Promise<WebhookDeliveryList> {
    const values = [webhookId, status, before];
    const deliveries = await this.transactions.query<WebhookDeliveryView>(SELECT_DELIVERIES, values);
    const last = deliveries.length === DELIVERIES_PER_LIST ? deliveries.at(-1) : undefined;
    return { deliveries, next: last?.id ?? null };
  }

  /** @throws WebhookDeliveryNotFoundError */
  async delivery(id: number): Promise<WebhookDeliveryDetails> {
    const [found] = await this.transactions.query<WebhookDeliveryDetails>(SELECT_DETAILS, [id]);
    if (found === undefined) throw new WebhookDeliveryNotFoundError([id]);
    return { ...found, messageId: webhookIdOf(found.messageId) };
  }
}
