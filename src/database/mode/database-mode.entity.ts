import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Mode } from '../../config/index.js';
import { ServiceRights } from '../migrating/service-rights.js';
import { AfterTestReset } from '../reset/after-test-reset.js';

/** The mode in which the database is used (ADR 61). It is recorded once, and a trigger refuses every change. */
@Entity({ name: 'database_mode' })
@ServiceRights({})
@AfterTestReset('kept')
export class DatabaseMode {
  @PrimaryColumn({ type: 'boolean', default: true })
  onlyRow!: boolean;

  @Column({ type: 'text' })
  mode!: Mode;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  recordedAt!: Date;
}
