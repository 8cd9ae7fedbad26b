import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { AfterTestReset, ServiceRights } from '../../database/index.js';

export const DELIVERY_STATUSES = ['pending', 'sent', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** The delivery of a notice to one recipient. */
@Entity({ name: 'delivery' })
@ServiceRights({
  insert: true,
  update: ['status', 'attempts', 'last_error', 'next_try_at', 'sent_at', 'asked_again_at', 'attempts_before'],
})
@AfterTestReset('emptied')
export class Delivery {
  @PrimaryGeneratedColumn('identity', { type: 'integer', generatedIdentity: 'ALWAYS' })
  id!: number;

  @Column({ type: 'uuid' })
  noticeId!: string;

  @Column({ type: 'text' })
  recipient!: string;

  @Column({ type: 'text' })
  messageId!: string;

  @Column({ type: 'text', default: 'pending' })
  status!: DeliveryStatus;

  @Column({ type: 'integer', default: 0 })
  attempts!: number;

  @Column({ type: 'text', nullable: true })
  lastError!: string | null;

  @Column({ type: 'timestamptz', nullable: true })
  nextTryAt!: Date | null;

  @Column({ type: 'timestamptz', nullable: true })
  sentAt!: Date | null;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', nullable: true })
  askedAgainAt!: Date | null;

  @Column({ type: 'integer', default: 0 })
  attemptsBefore!: number;
}
