import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { AfterTestReset, ServiceRights } from '../../database/index.js';

/** The review of a gift: the reasons why Finance should check it. */
@Entity({ name: 'review' })
@ServiceRights({
  insert: true,
  update: ['reasons', 'other_persons', 'other_gifts', 'accepted_at', 'accepted_by', 'closed_through'],
})
@AfterTestReset('emptied')
export class Review {
  @PrimaryGeneratedColumn('identity', { type: 'integer', generatedIdentity: 'ALWAYS' })
  id!: number;

  @Column({ type: 'integer' })
  contributionId!: number;

  @Column({ type: 'text', array: true })
  reasons!: string[];

  @Column({ type: 'timestamptz', default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', nullable: true })
  acceptedAt!: Date | null;

  @Column({ type: 'text', nullable: true })
  acceptedBy!: string | null;

  @Column({ type: 'integer', array: true, default: [] })
  otherPersons!: number[];

  @Column({ type: 'integer', array: true, default: [] })
  otherGifts!: number[];

  @Column({ type: 'text', nullable: true })
  closedThrough!: string | null;
}
