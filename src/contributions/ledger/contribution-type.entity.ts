import { Column, Entity, PrimaryColumn } from 'typeorm';
import { ServiceRights } from '../../database/index.js';

/** A kind of gift or entry, by the id that processors send. */
@Entity({ name: 'contribution_type' })
@ServiceRights({})
export class ContributionType {
  @PrimaryColumn({ type: 'integer' })
  id!: number;

  @Column({ type: 'text' })
  name!: string;
}
