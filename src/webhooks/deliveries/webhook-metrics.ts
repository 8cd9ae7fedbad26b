import { Injectable, OnModuleInit } from '@nestjs/common';
import { AuxiliaryQueries } from '../../database/index.js';
import { Metrics } from '../../metrics/index.js';
import type { WebhookDeliveryStatus } from './webhook-delivery.entity.js';

interface Row {
  readonly enabled: number;
  readonly disabled: number;
  readonly pending: number;
  readonly failed: number;
  readonly oldest: number;
}

/** Only pending and failed deliveries are counted: both have an index. */
const SELECT = `
  SELECT
    (SELECT count(*)::integer FROM webhook_endpoint WHERE disabled_at IS NULL) AS enabled,
    (SELECT count(*)::integer FROM webhook_endpoint WHERE disabled_at IS NOT NULL) AS disabled,
    count(*) FILTER (WHERE status = 'pending')::integer AS pending,
    count(*) FILTER (WHERE status = 'failed')::integer AS failed,
    COALESCE(extract(epoch FROM now() - min(COALESCE(replayed_at, occurred_at)) FILTER (WHERE status = 'pending')), 0)::float8
      AS oldest
  FROM webhook_delivery WHERE status IN ('pending', 'failed')`;

/** The counted outcome of an attempt, by the status that the delivery has after it. */
const OUTCOMES = { delivered: 'delivered', pending: 'postponed', failed: 'failed' } as const;

/** Metrics about webhooks. */
@Injectable()
export class WebhookMetrics implements OnModuleInit {
  private readonly attempts;

  constructor(
    private readonly queries: AuxiliaryQueries,
    private readonly metrics: Metrics,
  ) {
    this.attempts = metrics.counter(
      'offertory_webhook_attempts_total',
      'Attempts of this process to deliver a webhook, by outcome: delivered, postponed (another attempt follows), failed (given up)',
      ['outcome'],
    );
    for (const outcome of Object.values(OUTCOMES)) this.attempts.inc({ outcome }, 0);
  }

  onModuleInit(): void {
    this.metrics.gauges(
      'webhooks',
      {
        offertory_webhook_endpoints: {
          help: 'Endpoints of webhooks: enabled, disabled. The same on every replica',
          labelNames: ['state'],
        },
        offertory_webhook_deliveries: {
          help: 'Deliveries of webhooks: pending, failed (given up). The same on every replica',
          labelNames: ['status'],
        },
        offertory_webhook_oldest_pending_seconds: {
          help: 'Seconds since the event of the oldest pending delivery, or since it was replayed. The same on every replica',
        },
      },
      () => this.read(),
    );
  }

  /** Counts attempts. Call it after they are recorded. @param statuses of their deliveries after them. */
  countAttempts(statuses: readonly WebhookDeliveryStatus[]): void {
    for (const status of statuses) this.attempts.inc({ outcome: OUTCOMES[status] });
  }

  private async read(): Promise<Record<string, { labels?: Record<string, string>; value: number }[]>> {
    const [row] = await this.queries.query<Row>(SELECT);
    if (row === undefined) throw new Error('An aggregate returned no row');
    return {
      offertory_webhook_endpoints: (['enabled', 'disabled'] as const).map((state) => ({
        labels: { state },
        value: row[state],
      })),
      offertory_webhook_deliveries: (['pending', 'failed'] as const).map((status) => ({
        labels: { status },
        value: row[status],
      })),
      offertory_webhook_oldest_pending_seconds: [{ value: row.oldest }],
    };
  }
}
