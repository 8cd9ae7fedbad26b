import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { AfterTestReset, ServiceRights } from '../../../database/index.js';

/** What a processor pays out at once. Triggers keep its sums, and keep it as it is once it is reconciled (ADR 53). */
@Entity({ name: 'deposit' })
@ServiceRights({
  insert: ['user_id', 'source', 'deposit_id', 'day', 'currency', 'amount', 'created_by'],
  update: ['bank_day', 'bank_reference', 'bank_amount', 'reconciled_by', 'reconciled_at'],
})
@AfterTestReset('emptied')
export class Deposit {
  @PrimaryGeneratedColumn('identity', { type: 'integer', generatedIdentity: 'ALWAYS' })
  id!: number;

  /** The processor that sent it; null for a deposit that Finance has made. */
  @Column({ type: 'integer', nullable: true })
  userId!: number | null;

  @Column({ type: 'text' })
  source!: string;

  /** The sender's own id, usually that of the payout. */
  @Column({ type: 'text' })
  depositId!: string;

  @Column({ type: 'date' })
  day!: string;

  @Column({ type: 'text' })
  currency!: string;

  /** What the processor says that it pays out, as decimal text; null if it does not say. */
  @Column({ type: 'numeric', precision: 14, scale: 2, nullable: true })
  amount!: string | null;

  @Column({ type: 'date', nullable: true })
  bankDay!: string | null;

  @Column({ type: 'text', nullable: true })
  bankReference!: string | null;

  @Column({ type: 'numeric', precision: 14, scale: 2, nullable: true })
  bankAmount!: string | null;

  @Column({ type: 'numeric', precision: 18, scale: 2, default: 0 })
  gross!: string;

  @Column({ type: 'numeric', precision: 18, scale: 2, default: 0 })
  fees!: string;

  @Column({ type: 'numeric', precision: 18, scale: 2, default: 0 })
  reversed!: string;

  @Column({ type: 'numeric', precision: 18, scale: 2, default: 0 })
  adjusted!: string;

  @Column({ type: 'integer', default: 0 })
  itemCount!: number;

  @Column({ type: 'integer', default: 0 })
  unknownCount!: number;

  @Column({ type: 'text' })
  createdBy!: string;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'text', nullable: true })
  reconciledBy!: string | null;

  @Column({ type: 'timestamptz', nullable: true })
  reconciledAt!: Date | null;
}
