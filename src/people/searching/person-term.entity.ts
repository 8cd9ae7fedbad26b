import { Entity, PrimaryColumn } from 'typeorm';
import { AfterTestReset, ServiceRights } from '../../database/index.js';

/** A text by which a person is found. {@link IndexPersons} maintains the table. */
@Entity({ name: 'person_term' })
@ServiceRights({ insert: true, delete: true })
@AfterTestReset('emptied')
export class PersonTerm {
  @PrimaryColumn({ type: 'text', collation: 'C' })
  term!: string;

  @PrimaryColumn({ type: 'integer' })
  personId!: number;
}
