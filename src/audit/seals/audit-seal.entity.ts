import { Column, Entity, PrimaryColumn } from 'typeorm';
import { AfterTestReset, ServiceRights } from '../../database/index.js';

/** The seal of a range of audit entries (ADR 41). Seals are added and read, never changed. */
@Entity({ name: 'audit_seal' })
// Only a function adds seals, and checks them.
@ServiceRights({})
@AfterTestReset('kept')
export class AuditSeal {
  /** From 1, without gaps. */
  @PrimaryColumn({ type: 'integer' })
  number!: number;

  @Column({ type: 'timestamptz' })
  sealedAt!: Date;

  /** The lowest id of the range: the id after the range of the seal before. */
  @Column({ type: 'integer' })
  firstId!: number;

  /** The highest id of the range: that of its last entry. */
  @Column({ type: 'integer' })
  lastId!: number;

  @Column({ type: 'integer', array: true })
  entryIds!: number[];

  /** The SHA-256 of each entry, 32 bytes each, in the order of the ids. */
  @Column({ type: 'bytea' })
  entryHashes!: Buffer;

  /** The hash of the seal before; 32 zero bytes in the first seal. */
  @Column({ type: 'bytea' })
  previousHash!: Buffer;

  @Column({ type: 'bytea' })
  hash!: Buffer;
}
