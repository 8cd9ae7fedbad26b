import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { type Actor, AuditTrail } from '../../audit/index.js';
import { sqlRow, Transactions } from '../../database/index.js';
import { WEBHOOK_ACTIONS } from '../audit-actions.js';
import { WebhookEndpoints } from '../endpoints/endpoints.service.js';
import { TEST_TYPE } from '../endpoints/event-types.js';
import type { WebhookDeliveryDetails } from '../showing/webhook-delivery-view.js';
import { Webhooks } from '../showing/webhooks.service.js';

/** How long {@link TestWebhook.test} waits for the service, in milliseconds: an attempt takes ten seconds at most. */
const PATIENCE_MS = 20_000;

const LOOK_EVERY_MS = 250;

const INSERT = `
  INSERT INTO webhook_delivery (endpoint_id, message_id, type, data, next_try_at)
  VALUES ($1, gen_random_uuid(), '${TEST_TYPE}', jsonb_build_object('webhookId', $1::integer), now()) RETURNING id`;

/** Sends a test to an endpoint, on the way of all messages. It has a single attempt. */
@Injectable()
export class TestWebhook {
  constructor(
    private readonly transactions: Transactions,
    private readonly endpoints: WebhookEndpoints,
    private readonly webhooks: Webhooks,
    private readonly audit: AuditTrail,
  ) {}

  /** Queues a test. @returns the id of its delivery. @throws WebhookNotFoundError, WebhookDisabledError */
  async queue(webhookId: number, by: Actor): Promise<number> {
    return this.transactions.run(async (tx) => {
      await this.endpoints.lockEnabled(tx, webhookId);
      const delivery = await sqlRow<{ id: number }>(tx, INSERT, [webhookId]);
      if (delivery === undefined) throw new Error('INSERT returned no row');
      const details = { deliveryId: delivery.id };
      await this.audit.record(tx, { action: WEBHOOK_ACTIONS.test, subject: `webhook ${webhookId}`, details, by });
      return delivery.id;
    });
  }

  /** Queues a test, and waits until the running service has sent it. @returns its delivery, which is pending if no service runs. */
  async test(webhookId: number, by: Actor): Promise<WebhookDeliveryDetails> {
    const id = await this.queue(webhookId, by);
    const begin = performance.now();
    for (;;) {
      const delivery = await this.webhooks.delivery(id);
      if (delivery.status !== 'pending' || performance.now() - begin > PATIENCE_MS) return delivery;
      await sleep(LOOK_EVERY_MS);
    }
  }
}
