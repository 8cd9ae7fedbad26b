import { Column, Entity, PrimaryColumn } from 'typeorm';
import { AfterTestReset, ServiceRights } from '../database/index.js';

/** The first answer to a call with an `Idempotency-Key`. */
@Entity({ name: 'idempotency_key' })
@ServiceRights({
  insert: true,
  update: ['request_digest', 'request_version', 'answer', 'created_at'],
  delete: true,
})
@AfterTestReset('emptied')
export class StoredAnswer {
  @PrimaryColumn({ type: 'integer' })
  userId!: number;

  @PrimaryColumn({ type: 'text' })
  operation!: string;

  @PrimaryColumn({ type: 'text' })
  key!: string;

  @Column({ type: 'bytea' })
  requestDigest!: Buffer;

  @Column({ type: 'jsonb', nullable: true })
  answer!: object | null;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'smallint', default: 1 })
  requestVersion!: number;
}
