import { Column, Entity, PrimaryColumn } from 'typeorm';
import { AfterTestReset, ServiceRights } from '../../database/index.js';

/** How far stored names and contacts are folded by the current rule. The table has one row. */
@Entity({ name: 'folding' })
@ServiceRights({ insert: true, update: ['version', 'country', 'folded_up_to'] })
@AfterTestReset('kept')
export class Folding {
  @PrimaryColumn({ type: 'boolean', default: true })
  onlyRow!: boolean;

  @Column({ type: 'integer' })
  version!: number;

  @Column({ type: 'text' })
  country!: string;

  @Column({ type: 'integer', nullable: true })
  foldedUpTo!: number | null;
}
