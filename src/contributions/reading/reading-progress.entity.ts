import { Column, Entity, PrimaryColumn } from 'typeorm';
import { AfterTestReset, ServiceRights } from '../../database/index.js';

/** Up to which contribution a table that is derived from contributions is complete. */
@Entity({ name: 'reading_progress' })
@ServiceRights({ update: ['up_to', 'complete'] })
@AfterTestReset('kept')
export class ReadingProgress {
  @PrimaryColumn({ type: 'text' })
  reader!: 'gift terms' | 'totals';

  /** A ContributionId; 0 at the beginning. */
  @Column({ type: 'integer' })
  upTo!: number;

  /** Whether the last contribution was reached once, so that few are new. */
  @Column({ type: 'boolean' })
  complete!: boolean;
}
