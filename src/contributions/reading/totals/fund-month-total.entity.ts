import { Column, Entity, PrimaryColumn } from 'typeorm';
import { AfterTestReset, ServiceRights } from '../../../database/index.js';

/** The sum of all contributions of a fund, a month and a type, up to reading_progress. {@link SumTotals} maintains it. */
@Entity({ name: 'fund_month_total' })
@ServiceRights({ insert: true, update: ['gifts', 'amount'] })
@AfterTestReset('emptied')
export class FundMonthTotal {
  /** Its first day. */
  @PrimaryColumn({ type: 'date' })
  month!: string;

  @PrimaryColumn({ type: 'integer' })
  fundId!: number;

  /** Of the gift: a reversing entry counts under the type of its gift. */
  @PrimaryColumn({ type: 'integer' })
  contributionTypeId!: number;

  @PrimaryColumn({ type: 'text' })
  currency!: string;

  /** Parts of payments as sent. */
  @Column({ type: 'integer' })
  gifts!: number;

  @Column({ type: 'numeric', precision: 20, scale: 2 })
  amount!: string;
}
