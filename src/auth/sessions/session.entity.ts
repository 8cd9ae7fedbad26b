import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { AfterTestReset, ServiceRights } from '../../database/index.js';

/** A session of a person who has logged in to the console (ADR 50). Expired ones are deleted. */
@Entity({ name: 'session' })
// Only a function begins sessions, and records it in the audit trail.
@ServiceRights({ update: ['last_used_at'], delete: true })
@AfterTestReset('kept')
export class Session {
  @PrimaryGeneratedColumn('identity', { type: 'integer', generatedIdentity: 'ALWAYS' })
  id!: number;

  @Column({ type: 'integer' })
  userId!: number;

  /** The SHA-256 of the token in the cookie, 32 bytes. */
  @Column({ type: 'bytea' })
  digest!: Buffer;

  /** The SHA-256 of the user's password hash. When the password changes, the session ends. */
  @Column({ type: 'bytea' })
  passwordDigest!: Buffer;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  createdAt!: Date;

  /** At most a minute earlier than the last click. */
  @Column({ type: 'timestamptz', default: () => 'now()' })
  lastUsedAt!: Date;

  /** From which it began; null if it is unknown. */
  @Column({ type: 'inet', nullable: true })
  address!: string | null;

  /** Such as "Firefox on Windows"; null if it is unknown. */
  @Column({ type: 'text', nullable: true })
  browser!: string | null;
}
