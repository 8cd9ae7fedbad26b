import { Entity, PrimaryColumn } from 'typeorm';
import { ServiceRights } from '../../database/index.js';

/** A person written by a program with other folding rules, to be folded again. Triggers fill it. */
@Entity({ name: 'person_to_fold' })
@ServiceRights({ insert: true, delete: true })
export class PersonToFold {
  @PrimaryColumn({ type: 'integer' })
  personId!: number;
}
