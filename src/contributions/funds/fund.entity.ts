import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { AfterTestReset, ServiceRights } from '../../database/index.js';

/** The longest name of a fund, in characters. */
export const MAX_FUND_NAME = 100;

/** A purpose of gifts. Processors send its id. */
@Entity({ name: 'fund' })
@ServiceRights({ insert: ['name'], update: ['name', 'is_open', 'is_default'] })
@AfterTestReset('kept')
export class Fund {
  @PrimaryGeneratedColumn('identity', { type: 'integer', generatedIdentity: 'BY DEFAULT' })
  id!: number;

  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'boolean', default: true, insert: false })
  isOpen!: boolean;

  @Column({ type: 'boolean', default: false, insert: false })
  isDefault!: boolean;
}
