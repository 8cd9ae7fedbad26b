import { Column, Entity, JoinTable, ManyToMany, PrimaryGeneratedColumn } from 'typeorm';
import { AfterTestReset, ServiceRights } from '../../database/index.js';
import { Role } from './role.entity.js';

/** A user of the API, or a recipient of notices. Users are disabled, never deleted, because gifts refer to them. */
@Entity({ name: 'app_user' })
@ServiceRights({
  // Only functions change users, and record the change (ADR 42).
  junctions: { app_user_role: {} },
})
@AfterTestReset('kept')
export class AppUser {
  @PrimaryGeneratedColumn('identity', { type: 'integer', generatedIdentity: 'ALWAYS' })
  id!: number;

  @Column({ type: 'text' })
  username!: string;

  /** argon2id in PHC string format. */
  @Column({ type: 'text' })
  passwordHash!: string;

  @Column({ type: 'text', nullable: true })
  email!: string | null;

  @Column({ type: 'boolean', default: true })
  active!: boolean;

  @Column({ type: 'timestamptz', default: () => 'now()', insert: false, update: false })
  createdAt!: Date;

  @ManyToMany(() => Role)
  @JoinTable({
    name: 'app_user_role',
    joinColumn: { name: 'user_id' },
    inverseJoinColumn: { name: 'role_id' },
  })
  roles!: Role[];
}
