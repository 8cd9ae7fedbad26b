import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { AfterTestReset, ServiceRights } from '../../../database/index.js';

/** The move of a gift from one person to another. */
@Entity({ name: 'reassignment' })
@ServiceRights({ insert: true })
@AfterTestReset('emptied')
export class Reassignment {
  @PrimaryGeneratedColumn('identity', { type: 'integer', generatedIdentity: 'ALWAYS' })
  id!: number;

  @Column({ type: 'integer' })
  contributionId!: number;

  @Column({ type: 'integer' })
  fromPersonId!: number;

  @Column({ type: 'integer' })
  toPersonId!: number;

  @Column({ type: 'text' })
  reassignedBy!: string;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  reassignedAt!: Date;

  @Column({ type: 'boolean', default: false })
  throughMerge!: boolean;
}
