import { Column, Entity, PrimaryColumn } from 'typeorm';
import { AfterTestReset, ServiceRights } from '../../database/index.js';

/** A kind of deposit. Processors send its id. */
@Entity({ name: 'bundle_type' })
@ServiceRights({})
@AfterTestReset('kept')
export class BundleType {
  @PrimaryColumn({ type: 'integer' })
  id!: number;

  @Column({ type: 'text' })
  name!: string;
}
