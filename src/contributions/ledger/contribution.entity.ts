import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { AfterTestReset, ServiceRights } from '../../database/index.js';

/**
 * An entry of the ledger: a gift, or what reverses, moves or reinstates one. Written and read in SQL (ADR 37). The
 * entries of one payment have its id (ADR 46).
 */
@Entity({ name: 'contribution' })
@ServiceRights({
  insert: true,
  // Never an amount, a fund, a day or a bundle. The release before sets the status itself, and may run beside this one.
  update: ['status', 'person_id'],
})
@AfterTestReset('emptied')
export class Contribution {
  @PrimaryGeneratedColumn('identity', { type: 'integer', generatedIdentity: 'ALWAYS' })
  id!: number;

  @Column({ type: 'integer' })
  personId!: number;

  @Column({ type: 'numeric', precision: 14, scale: 2 })
  amount!: string;

  @Column({ type: 'text' })
  currency!: string;

  @Column({ type: 'timestamptz' })
  givenAt!: Date;

  @Column({ type: 'date' })
  day!: string;

  @Column({ type: 'integer' })
  fundId!: number;

  @Column({ type: 'integer' })
  bundleId!: number;

  @Column({ type: 'integer' })
  contributionTypeId!: number;

  @Column({ type: 'smallint', default: 0 })
  status!: number;

  @Column({ type: 'text', nullable: true })
  source!: string | null;

  @Column({ type: 'text', nullable: true })
  notes!: string | null;

  @Column({ type: 'text', nullable: true })
  giverFirst!: string | null;

  @Column({ type: 'text', nullable: true })
  giverLast!: string | null;

  @Column({ type: 'text', nullable: true })
  giverEmail!: string | null;

  @Column({ type: 'text', nullable: true })
  giverPhone!: string | null;

  @Column({ type: 'text', nullable: true })
  giverAddress!: string | null;

  @Column({ type: 'text', nullable: true })
  giverZip!: string | null;

  @Column({ type: 'integer', nullable: true })
  reversesId!: number | null;

  @Column({ type: 'integer' })
  createdBy!: number;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'text', nullable: true })
  matchedBy!: string | null;

  @Column({ type: 'text', array: true, nullable: true })
  matchedOn!: string[] | null;

  @Column({ type: 'integer', array: true, nullable: true })
  otherMatches!: number[] | null;

  @Column({ type: 'boolean', default: false })
  hasKey!: boolean;

  @Column({ type: 'text', nullable: true })
  transactionId!: string | null;

  @Column({ type: 'bytea', nullable: true })
  requestDigest!: Buffer | null;

  @Column({ type: 'integer', nullable: true })
  firstPersonId!: number | null;

  @Column({ type: 'integer' })
  changeNo!: number;

  @Column({ type: 'timestamptz' })
  updatedAt!: Date;

  @Column({ type: 'integer' })
  addedBy!: number;

  @Column({ type: 'integer', nullable: true })
  formerChangeNo!: number | null;

  @Column({ type: 'smallint', default: 1 })
  requestVersion!: number;

  @Column({ type: 'integer' })
  paymentId!: number;

  @Column({ type: 'numeric', precision: 14, scale: 2, default: 0 })
  reversedAmount!: string;

  @Column({ type: 'text', nullable: true })
  reason!: string | null;

  @Column({ type: 'text', nullable: true })
  refundId!: string | null;

  @Column({ type: 'integer', nullable: true })
  reversalId!: number | null;

  @Column({ type: 'integer', nullable: true })
  movesId!: number | null;

  @Column({ type: 'integer', nullable: true })
  reinstatesId!: number | null;
}
