import { Injectable } from '@nestjs/common';
import { type EntityManager } from 'typeorm';
import { type Actor, AuditTrail } from '../../audit/index.js';
import { sqlRows, Transactions } from '../../database/index.js';
import { WEBHOOK_ACTIONS } from '../audit-actions.js';
import { WebhookEndpoints } from '../endpoints/endpoints.service.js';
import { WebhookDeliveryNotFoundError } from '../errors.js';
import { GIVEN_UP, readWebhooks } from '../showing/webhook-rows.js';

/** How many deliveries one transaction replays. */
const REPLAYED_TOGETHER = 2_000;

const REPLAY = `
  UPDATE webhook_delivery SET status = 'pending', next_try_at = now(), settled_at = NULL, replayed_at = now(),
    attempts_before = attempts`;

const REPLAY_FAILED = `
  ${REPLAY} WHERE id = ANY (ARRAY(
    SELECT d.id FROM webhook_delivery d WHERE d.endpoint_id = $1 AND ${GIVEN_UP}
    ORDER BY d.id LIMIT ${REPLAYED_TOGETHER} FOR UPDATE))
  RETURNING id`;

/** Sends deliveries again. The worker sends them within seconds. */
@Injectable()
export class ReplayWebhooks {
  constructor(
    private readonly transactions: Transactions,
    private readonly endpoints: WebhookEndpoints,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Sends deliveries again: each gets ten more attempts. Those that were delivered are also sent, for a receiver that has lost
   * them. If one cannot be sent, none is.
   * @returns the number of deliveries to be sent.
   * @throws WebhookDeliveryNotFoundError, WebhookDisabledError
   */
  async replay(ids: readonly number[], by: Actor): Promise<number> {
    return this.transactions.run(async (tx) => {
      const select =
        'SELECT id, endpoint_id AS "webhookId" FROM webhook_delivery WHERE id = ANY ($1) ORDER BY id FOR UPDATE';
      const found = await sqlRows<{ id: number; webhookId: number }>(tx, select, [ids]);
      const unknown = ids.filter((id) => found.every((one) => one.id !== id));
      if (unknown.length > 0) throw new WebhookDeliveryNotFoundError(unknown);
      for (const webhookId of new Set(found.map((one) => one.webhookId))) {
        await this.endpoints.lockEnabled(tx, webhookId);
        const ofWebhook = found.filter((one) => one.webhookId === webhookId).map(({ id }) => id);
        await sqlRows(tx, `${REPLAY} WHERE id = ANY ($1)`, [ofWebhook]);
        await this.record(tx, { webhookId, details: { deliveryIds: ofWebhook }, by });
      }
      return found.length;
    });
  }

  /**
   * Sends all deliveries again that were given up, some thousand in each transaction.
   * @param webhookId undefined: those of all enabled endpoints.
   * @returns the number of deliveries to be sent. @throws WebhookNotFoundError, WebhookDisabledError
   */
  async replayFailed(webhookId: number | undefined, by: Actor): Promise<number> {
    let replayed = 0;
    for (const id of webhookId === undefined ? await this.enabled() : [webhookId]) {
      for (let count = REPLAYED_TOGETHER; count === REPLAYED_TOGETHER; replayed += count) {
        count = await this.transactions.run((tx) => this.replaySome(tx, id, by));
      }
    }
    return replayed;
  }

  private async enabled(): Promise<number[]> {
    const all = await this.transactions.run(readWebhooks);
    return all.filter(({ status }) => status === 'enabled').map(({ id }) => id);
  }

  private async replaySome(tx: EntityManager, webhookId: number, by: Actor): Promise<number> {
    await this.endpoints.lockEnabled(tx, webhookId);
    const { length: deliveries } = await sqlRows(tx, REPLAY_FAILED, [webhookId]);
    if (deliveries > 0) await this.record(tx, { webhookId, details: { deliveries }, by });
    return deliveries;
  }

  private async record(
    tx: EntityManager,
    {
      webhookId,
      details,
      by,
    }: { webhookId: number; details: { deliveries: number } | { deliveryIds: readonly number[] }; by: Actor },
  ): Promise<void> {
    await this.audit.record(tx, { action: WEBHOOK_ACTIONS.replay, subject: `webhook ${webhookId}`, details, by });
  }
}
