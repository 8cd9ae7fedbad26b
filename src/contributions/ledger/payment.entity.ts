import { Column, Entity, PrimaryColumn } from 'typeorm';
import { AfterTestReset, ServiceRights } from '../../database/index.js';

/** What was paid at once. Its parts are contributions, whose amounts add up to its amount. Written in SQL (ADR 37). */
@Entity({ name: 'payment' })
@ServiceRights({
  insert: true,
  // For row locks: PostgreSQL lets a role lock a row only if it may update a column. Nothing updates this one.
  update: ['payout_id'],
})
@AfterTestReset('emptied')
export class Payment {
  /** The id of its first part. */
  @PrimaryColumn({ type: 'integer' })
  id!: number;

  /** Gross, as decimal text with two decimals. */
  @Column({ type: 'numeric', precision: 14, scale: 2 })
  amount!: string;

  /** What the processor keeps, as decimal text; null if it was not sent. */
  @Column({ type: 'numeric', precision: 14, scale: 2, nullable: true })
  fee!: string | null;

  @Column({ type: 'text', nullable: true })
  method!: string | null;

  @Column({ type: 'text', nullable: true })
  checkNumber!: string | null;

  @Column({ type: 'text', nullable: true })
  payoutId!: string | null;
}
