import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { AfterTestReset, ServiceRights } from '../../../database/index.js';

/** A payment, or a reversal, in a deposit. A removed item stays as a record. Written in SQL (ADR 37). */
@Entity({ name: 'deposit_item' })
@ServiceRights({
  insert: true,
  // Who must have sent it, what is found later, and the removal.
  update: ['user_id', 'payment_id', 'reversal_id', 'amount', 'fee', 'removed_by', 'removed_at', 'removal_reason'],
})
@AfterTestReset('emptied')
export class DepositItem {
  @PrimaryGeneratedColumn('identity', { type: 'integer', generatedIdentity: 'ALWAYS' })
  id!: number;

  @Column({ type: 'integer' })
  depositId!: number;

  @Column({ type: 'boolean' })
  isReversal!: boolean;

  /** How it was named: by this id, or by the transaction id of this source. */
  @Column({ type: 'integer', nullable: true })
  contributionId!: number | null;

  @Column({ type: 'text', nullable: true })
  source!: string | null;

  @Column({ type: 'text', nullable: true })
  transactionId!: string | null;

  /** The user who must have sent the gift of the transaction id; null: any user. */
  @Column({ type: 'integer', nullable: true })
  userId!: number | null;

  @Column({ type: 'text', nullable: true })
  refundId!: string | null;

  /** Null while it is not in the books. */
  @Column({ type: 'integer', nullable: true })
  paymentId!: number | null;

  /** The first entry of the reversal. */
  @Column({ type: 'integer', nullable: true })
  reversalId!: number | null;

  /** What was paid or taken back, as decimal text; null while it is not in the books. */
  @Column({ type: 'numeric', precision: 14, scale: 2, nullable: true })
  amount!: string | null;

  /** What the processor keeps, as decimal text; null if neither the deposit nor the payment says it. */
  @Column({ type: 'numeric', precision: 14, scale: 2, nullable: true })
  fee!: string | null;

  /** Whether the deposit has named the fee; otherwise it is the payment's. */
  @Column({ type: 'boolean' })
  hasOwnFee!: boolean;

  @Column({ type: 'text' })
  addedBy!: string;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  addedAt!: Date;

  @Column({ type: 'text', nullable: true })
  removedBy!: string | null;

  @Column({ type: 'timestamptz', nullable: true })
  removedAt!: Date | null;

  @Column({ type: 'text', nullable: true })
  removalReason!: string | null;
}
