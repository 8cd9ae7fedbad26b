import { Injectable, OnModuleInit } from '@nestjs/common';
import { AuxiliaryQueries } from '../../database/index.js';
import { Metrics } from '../../metrics/index.js';
import { FinanceRecipients } from '../finance-recipients.js';

interface Row {
  readonly pending: number;
  readonly sent: number;
  readonly failed: number;
  readonly oldest: number;
  readonly unaddressed: number;
}

/** A notice without a delivery waits for a recipient. */
const SELECT = `
  SELECT count(*) FILTER (WHERE status = 'pending')::integer AS pending,
    count(*) FILTER (WHERE status = 'sent')::integer AS sent,
    count(*) FILTER (WHERE status = 'failed')::integer AS failed,
    COALESCE(extract(epoch FROM now() - min(COALESCE(asked_again_at, created_at)) FILTER (WHERE status = 'pending')), 0)::float8
      AS oldest,
    (SELECT count(*)::integer FROM notice n WHERE NOT EXISTS (SELECT FROM delivery WHERE notice_id = n.id)) AS unaddressed
  FROM delivery`;

const STATUSES = ['pending', 'sent', 'failed'] as const;

/** Metrics about the deliveries of notices to Finance. */
@Injectable()
export class DeliveryMetrics implements OnModuleInit {
  private readonly tries;

  constructor(
    private readonly queries: AuxiliaryQueries,
    private readonly recipients: FinanceRecipients,
    private readonly metrics: Metrics,
  ) {
    this.tries = metrics.counter(
      'offertory_delivery_tries_total',
      'Tries of this process to send a notice, by outcome: sent, postponed (another try follows), failed (given up)',
      ['outcome'],
    );
    for (const outcome of ['sent', 'postponed', 'failed'] as const) this.tries.inc({ outcome }, 0);
  }

  onModuleInit(): void {
    this.metrics.gauges(
      'deliveries',
      {
        offertory_deliveries: {
          help: 'Deliveries of notices, one for each recipient: pending, sent, failed (given up). The same on every replica',
          labelNames: ['status'],
        },
        offertory_delivery_oldest_pending_seconds: {
          help: 'Seconds since the oldest pending delivery was created or requested again. The same on every replica',
        },
        offertory_notices_without_recipient: {
          help: 'Reversals whose notice waits because there is no recipient. The same on every replica',
        },
        offertory_finance_recipients: { help: 'Addresses that are notified of reversals. The same on every replica' },
      },
      () => this.read(),
    );
  }

  /** Counts a try. Call it after its outcome is recorded. */
  countTry(outcome: 'sent' | 'postponed' | 'failed'): void {
    this.tries.inc({ outcome });
  }

  private async read(): Promise<Record<string, { labels?: Record<string, string>; value: number }[]>> {
    const [row] = await this.queries.query<Row>(SELECT);
    if (row === undefined) throw new Error('An aggregate returned no row');
    return {
      offertory_deliveries: STATUSES.map((status) => ({ labels: { status }, value: row[status] })),
      offertory_delivery_oldest_pending_seconds: [{ value: row.oldest }],
      offertory_notices_without_recipient: [{ value: row.unaddressed }],
      offertory_finance_recipients: [{ value: (await this.recipients.configured()).length }],
    };
  }
}
