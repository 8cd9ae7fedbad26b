import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { RoleName } from './role-name.js';

/** One of the roles that {@link ROLE_NAMES} lists. */
@Entity({ name: 'role' })
export class Role {
  @PrimaryGeneratedColumn('identity', { type: 'smallint' })
  id!: number;

  @Column({ type: 'text' })
  name!: RoleName;
}
