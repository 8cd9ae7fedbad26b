import { Column, Entity, PrimaryColumn } from 'typeorm';
import { AfterTestReset, ServiceRights } from '../../database/index.js';

/** A kind of gift or entry. Processors send its id. */
@Entity({ name: 'contribution_type' })
@ServiceRights({})
@AfterTestReset('kept')
export class ContributionType {
  @PrimaryColumn({ type: 'integer' })
  id!: number;

  @Column({ type: 'text' })
  name!: string;
}
