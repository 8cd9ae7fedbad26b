import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { AfterTestReset, ServiceRights } from '../../database/index.js';
import type { EventType } from './event-types.js';

/** An address to which events are sent. */
@Entity({ name: 'webhook_endpoint' })
@ServiceRights({
  insert: true,
  update: ['secret', 'secret_version', 'former_secret', 'former_secret_until', 'disabled_at', 'disabled_by'],
})
@AfterTestReset('kept')
export class WebhookEndpoint {
  @PrimaryGeneratedColumn('identity', { type: 'integer', generatedIdentity: 'ALWAYS' })
  id!: number;

  @Column({ type: 'text' })
  url!: string;

  @Column({ type: 'text', array: true })
  events!: EventType[];

  /** The user of whose gifts, bundles and deposits it is told; null: of all. */
  @Column({ type: 'integer', nullable: true })
  userId!: number | null;

  /** `whsec_…`, with which its messages are signed. */
  @Column({ type: 'text' })
  secret!: string;

  @Column({ type: 'integer', default: 1 })
  secretVersion!: number;

  /** The secret before the last rotation. It signs, too, until {@link formerSecretUntil}. */
  @Column({ type: 'text', nullable: true })
  formerSecret!: string | null;

  @Column({ type: 'timestamptz', nullable: true })
  formerSecretUntil!: Date | null;

  @Column({ type: 'text' })
  createdBy!: string;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', nullable: true })
  disabledAt!: Date | null;

  /** Null if the receiver has answered that it is gone. */
  @Column({ type: 'text', nullable: true })
  disabledBy!: string | null;
}
