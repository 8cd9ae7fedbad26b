import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { AfterTestReset, ServiceRights } from '../../database/index.js';
import type { RoleName } from './role-name.js';

/** One of the roles that {@link ROLE_NAMES} lists. */
@Entity({ name: 'role' })
@ServiceRights({})
@AfterTestReset('kept')
export class Role {
  @PrimaryGeneratedColumn('identity', { type: 'smallint', generatedIdentity: 'ALWAYS' })
  id!: number;

  @Column({ type: 'text' })
  name!: RoleName;
}
