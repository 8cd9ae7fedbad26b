import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { AfterTestReset, ServiceRights } from '../database/index.js';

/** An action in the audit trail. Entries are added and read, never changed. */
@Entity({ name: 'audit_entry' })
@ServiceRights({
  // The database sets the id and the time.
  insert: ['actor', 'via', 'action', 'subject', 'details'],
})
@AfterTestReset('kept')
export class AuditEntry {
  @PrimaryGeneratedColumn('identity', { type: 'integer', generatedIdentity: 'ALWAYS' })
  id!: number;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  at!: Date;

  @Column({ type: 'text' })
  actor!: string;

  @Column({ type: 'text' })
  action!: string;

  @Column({ type: 'text' })
  subject!: string;

  @Column({ type: 'jsonb', default: {} })
  details!: object;

  /** How the action came in; null in entries of earlier versions and of functions of the database. */
  @Column({ type: 'text', nullable: true })
  via!: string | null;
}
