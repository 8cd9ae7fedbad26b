import { Column, Entity, PrimaryColumn } from 'typeorm';
import { AfterTestReset, ServiceRights } from '../../database/index.js';
import type { ReversalFacts } from './notice-facts.js';

/** The notice to Finance about one reversal. */
@Entity({ name: 'notice' })
@ServiceRights({ insert: true })
@AfterTestReset('emptied')
export class Notice {
  @PrimaryColumn({ type: 'uuid' })
  id!: string;

  @Column({ type: 'integer' })
  reversingContributionId!: number;

  @Column({ type: 'jsonb' })
  content!: ReversalFacts;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  createdAt!: Date;
}
