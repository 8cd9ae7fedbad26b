import { Column, Entity, PrimaryColumn } from 'typeorm';
import { ServiceRights } from '../migrating/service-rights.js';
import { AfterTestReset } from '../reset/after-test-reset.js';

/** A period in which the books are continuous. A restore or a failover begins a new one (ADR 25). */
@Entity({ name: 'books_epoch' })
@ServiceRights({})
@AfterTestReset('kept')
export class BooksEpoch {
  @PrimaryColumn({ type: 'integer' })
  number!: number;

  @Column({ type: 'text', nullable: true })
  token!: string | null;

  @Column({ type: 'timestamptz', default: () => 'clock_timestamp()' })
  beganAt!: Date;

  @Column({ type: 'text' })
  reason!: string;

  @Column({ type: 'integer' })
  forkId!: number;

  @Column({ type: 'integer' })
  forkChangeNo!: number;

  @Column({ type: 'timestamptz', nullable: true })
  forkAt!: Date | null;

  @Column({ type: 'integer' })
  firstId!: number;

  @Column({ type: 'integer' })
  firstChangeNo!: number;

  @Column({ type: 'jsonb', nullable: true })
  identity!: object | null;
}
