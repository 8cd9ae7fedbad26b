import { Column, Entity, PrimaryColumn } from 'typeorm';
import { AfterTestReset, ServiceRights } from '../../../database/index.js';

/** A name that a fund had before it was renamed. Gifts can still name the fund by it. Never changed or deleted. */
@Entity({ name: 'fund_former_name' })
@ServiceRights({ insert: ['fund_id', 'name'] })
@AfterTestReset('kept')
export class FormerFundName {
  @PrimaryColumn({ type: 'integer' })
  fundId!: number;

  @Column({ type: 'text' })
  name!: string;

  /** When the fund was renamed. */
  @PrimaryColumn({ type: 'timestamptz', default: () => 'clock_timestamp()' })
  until!: Date;
}
