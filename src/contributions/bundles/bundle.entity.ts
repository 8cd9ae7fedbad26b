import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { AfterTestReset, ServiceRights } from '../../database/index.js';

/** The gifts of one user, day and bundle type, which Finance compares with one deposit at the bank. */
@Entity({ name: 'bundle' })
@ServiceRights({ insert: true, update: ['status', 'closed_at', 'closed_by'] })
@AfterTestReset('emptied')
export class Bundle {
  @PrimaryGeneratedColumn('identity', { type: 'integer', generatedIdentity: 'ALWAYS' })
  id!: number;

  @Column({ type: 'integer' })
  bundleTypeId!: number;

  @Column({ type: 'integer' })
  userId!: number;

  @Column({ type: 'date' })
  day!: string;

  @Column({ type: 'smallint', default: 1 })
  status!: number;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', nullable: true })
  closedAt!: Date | null;

  @Column({ type: 'text', nullable: true })
  closedBy!: string | null;
}
