import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { AfterTestReset, ServiceRights } from '../../../database/index.js';

/** What Finance adds to a deposit or takes from it, with the reason. It never changes: another one corrects it. */
@Entity({ name: 'deposit_adjustment' })
@ServiceRights({ insert: true })
@AfterTestReset('emptied')
export class DepositAdjustment {
  @PrimaryGeneratedColumn('identity', { type: 'integer', generatedIdentity: 'ALWAYS' })
  id!: number;

  @Column({ type: 'integer' })
  depositId!: number;

  /** Decimal text, negative or positive. */
  @Column({ type: 'numeric', precision: 14, scale: 2 })
  amount!: string;

  @Column({ type: 'text' })
  reason!: string;

  @Column({ type: 'text' })
  addedBy!: string;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  addedAt!: Date;
}
