import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { AfterTestReset, ServiceRights } from '../../database/index.js';

/** `pending` has another attempt; `failed` was given up. */
export const WEBHOOK_DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;
export type WebhookDeliveryStatus = (typeof WEBHOOK_DELIVERY_STATUSES)[number];

/** One event for one endpoint. */
@Entity({ name: 'webhook_delivery' })
@ServiceRights({
  insert: true,
  update: [
    ...['status', 'attempts', 'attempts_before', 'next_try_at', 'last_try_at', 'last_status', 'last_error'],
    ...['settled_at', 'replayed_at'],
  ],
  delete: true,
})
@AfterTestReset('emptied')
export class WebhookDelivery {
  @PrimaryGeneratedColumn('identity', { type: 'integer', generatedIdentity: 'ALWAYS' })
  id!: number;

  @Column({ type: 'integer' })
  endpointId!: number;

  @Column({ type: 'uuid' })
  messageId!: string;

  @Column({ type: 'text' })
  type!: string;

  /** Ids only. */
  @Column({ type: 'jsonb' })
  data!: object;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  occurredAt!: Date;

  @Column({ type: 'text', default: 'pending' })
  status!: WebhookDeliveryStatus;

  @Column({ type: 'integer', default: 0 })
  attempts!: number;

  @Column({ type: 'integer', default: 0 })
  attemptsBefore!: number;

  @Column({ type: 'timestamptz', nullable: true })
  nextTryAt!: Date | null;

  @Column({ type: 'timestamptz', nullable: true })
  lastTryAt!: Date | null;

  @Column({ type: 'integer', nullable: true })
  lastStatus!: number | null;

  @Column({ type: 'text', nullable: true })
  lastError!: string | null;

  @Column({ type: 'timestamptz', nullable: true })
  settledAt!: Date | null;

  @Column({ type: 'timestamptz', nullable: true })
  replayedAt!: Date | null;
}
