import { Column, Entity, PrimaryColumn } from 'typeorm';
import { AfterTestReset, ServiceRights } from '../../database/index.js';

/** A password that any replica has recently verified. */
@Entity({ name: 'verified_login' })
@ServiceRights({ insert: true, update: ['expires_at'], delete: true })
@AfterTestReset('kept')
export class VerifiedLogin {
  @PrimaryColumn({ type: 'bytea' })
  digest!: Buffer;

  @Column({ type: 'timestamptz' })
  expiresAt!: Date;
}
