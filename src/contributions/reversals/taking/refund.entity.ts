import { Column, Entity, PrimaryColumn } from 'typeorm';
import { AfterTestReset, ServiceRights } from '../../../database/index.js';

/** The first answer to a reversal with a `refundId`. Unlike the answer to an `Idempotency-Key`, it is never deleted. */
@Entity({ name: 'refund' })
@ServiceRights({ insert: true, update: ['answer'] })
@AfterTestReset('emptied')
export class Refund {
  @PrimaryColumn({ type: 'integer' })
  userId!: number;

  @PrimaryColumn({ type: 'text' })
  source!: string;

  @PrimaryColumn({ type: 'text' })
  refundId!: string;

  @Column({ type: 'bytea' })
  requestDigest!: Buffer;

  @Column({ type: 'smallint' })
  requestVersion!: number;

  @Column({ type: 'jsonb', nullable: true })
  answer!: object | null;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  createdAt!: Date;
}
