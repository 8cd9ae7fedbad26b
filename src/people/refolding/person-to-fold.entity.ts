import { Entity, PrimaryColumn } from 'typeorm';
import { AfterTestReset, ServiceRights } from '../../database/index.js';

/** A person written by a program with another folding rule, to be folded again. Triggers fill the table. */
@Entity({ name: 'person_to_fold' })
@ServiceRights({ insert: true, delete: true })
@AfterTestReset('emptied')
export class PersonToFold {
  @PrimaryColumn({ type: 'integer' })
  personId!: number;
}
