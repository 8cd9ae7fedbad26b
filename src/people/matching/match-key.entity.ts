import { Entity, PrimaryColumn } from 'typeorm';
import { AfterTestReset, ServiceRights } from '../../database/index.js';

/** A contact and a name that find a person. Triggers maintain the table with the rights of the role that writes. */
@Entity({ name: 'match_key' })
@ServiceRights({ insert: true, delete: true })
@AfterTestReset('emptied')
export class MatchKey {
  @PrimaryColumn({ type: 'text' })
  kind!: string;

  @PrimaryColumn({ type: 'text' })
  contact!: string;

  @PrimaryColumn({ type: 'text' })
  lastName!: string;

  @PrimaryColumn({ type: 'text' })
  firstName!: string;

  @PrimaryColumn({ type: 'integer' })
  personId!: number;
}
