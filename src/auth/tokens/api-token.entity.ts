import { Column, Entity, JoinColumn, ManyToOne, PrimaryGeneratedColumn } from 'typeorm';
import { AfterTestReset, ServiceRights } from '../../database/index.js';
import { AppUser } from '../users/app-user.entity.js';
import type { TokenScope } from './parsing/token-scope.js';

/** A token with which programs log in as a user. Tokens are revoked, never deleted. */
@Entity({ name: 'api_token' })
// Only functions create and revoke tokens, and record it (ADR 42).
@ServiceRights({ update: ['last_used_at'] })
@AfterTestReset('kept')
export class ApiToken {
  @PrimaryGeneratedColumn('identity', { type: 'integer', generatedIdentity: 'ALWAYS' })
  id!: number;

  @Column({ type: 'integer' })
  userId!: number;

  @ManyToOne(() => AppUser, { createForeignKeyConstraints: false })
  @JoinColumn({ name: 'user_id' })
  user!: AppUser;

  /** The operator's own name for it. */
  @Column({ type: 'text', nullable: true })
  name!: string | null;

  /** The SHA-256 of the token, 32 bytes. */
  @Column({ type: 'bytea' })
  digest!: Buffer;

  @Column({ type: 'text', array: true })
  scopes!: TokenScope[];

  /** The networks from which it is accepted, in CIDR notation; null for any. */
  @Column({ type: 'cidr', array: true, nullable: true })
  networks!: string[] | null;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  createdAt!: Date;

  /** Null for a token that does not expire. */
  @Column({ type: 'timestamptz', nullable: true })
  expiresAt!: Date | null;

  /** At most a minute earlier than the last call. Null if it was never used. */
  @Column({ type: 'timestamptz', nullable: true })
  lastUsedAt!: Date | null;

  @Column({ type: 'timestamptz', nullable: true })
  revokedAt!: Date | null;
}
