import { Column, Entity, JoinTable, ManyToMany, PrimaryGeneratedColumn } from 'typeorm';
import { Role } from './role.entity.js';

/** Somebody who may call the API, or is told of reversals. Users are disabled, never deleted: gifts refer to them. */
@Entity({ name: 'app_user' })
export class AppUser {
  @PrimaryGeneratedColumn('identity', { type: 'integer' })
  id!: number;

  @Column({ type: 'text' })
  username!: string;

  /** argon2id in PHC string format. */
  @Column({ type: 'text', name: 'password_hash' })
  passwordHash!: string;

  @Column({ type: 'text', nullable: true })
  email!: string | null;

  @Column({ type: 'boolean', default: true })
  active!: boolean;

  @Column({ type: 'timestamptz', name: 'created_at', insert: false, update: false })
  createdAt!: Date;

  @ManyToMany(() => Role)
  @JoinTable({
    name: 'app_user_role',
    joinColumn: { name: 'user_id' },
    inverseJoinColumn: { name: 'role_id' },
  })
  roles!: Role[];
}
