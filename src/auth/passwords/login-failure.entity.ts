import { Column, Entity, PrimaryColumn } from 'typeorm';
import { AfterTestReset, ServiceRights } from '../../database/index.js';

/** The failed logins of one user name from one network. */
@Entity({ name: 'login_failure' })
@ServiceRights({ insert: true, update: ['points', 'expire'], delete: true })
@AfterTestReset('kept')
export class LoginFailure {
  @PrimaryColumn({ type: 'varchar', length: 255 })
  key!: string;

  @Column({ type: 'integer', default: 0 })
  points!: number;

  @Column({ type: 'bigint', nullable: true })
  expire!: string | null;
}
