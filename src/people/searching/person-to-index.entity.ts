import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { AfterTestReset, ServiceRights } from '../../database/index.js';

/** Persons whose terms are missing or outdated: one, or a range of ids. Triggers add rows. */
@Entity({ name: 'person_to_index' })
@ServiceRights({ insert: true, update: ['last_person_id'], delete: true })
@AfterTestReset('emptied')
export class PersonToIndex {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column({ type: 'integer' })
  firstPersonId!: number;

  @Column({ type: 'integer' })
  lastPersonId!: number;
}
