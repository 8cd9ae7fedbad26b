import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { AfterTestReset, ServiceRights } from '../database/index.js';

/** Work that is still to be done. A finished job is deleted (ADR 36). */
@Entity({ name: 'job' })
@ServiceRights({ insert: true, update: ['due_at', 'attempts', 'leased_until', 'every_seconds'], delete: true })
@AfterTestReset({ deletedWhere: 'every_seconds IS NULL' })
export class Job {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column({ type: 'text' })
  queue!: string;

  /** Ids only. */
  @Column({ type: 'jsonb', default: {} })
  data!: object;

  /** The job is not begun before. */
  @Column({ type: 'timestamptz', default: () => 'now()' })
  dueAt!: Date;

  /** How often it was claimed. */
  @Column({ type: 'integer', default: 0 })
  attempts!: number;

  /** Until then a process works on it, unless it renews the lease; null while the job waits. */
  @Column({ type: 'timestamptz', nullable: true })
  leasedUntil!: Date | null;

  /** The period of a periodic job, which is queued again when it is finished. */
  @Column({ type: 'integer', nullable: true })
  everySeconds!: number | null;
}
