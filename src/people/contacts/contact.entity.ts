import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { AfterTestReset, ServiceRights } from '../../database/index.js';

/** An e-mail address or phone number of a person. Confirmed ones find the giver of a gift. */
@Entity({ name: 'contact' })
@ServiceRights({ insert: true, update: ['confirmed'], delete: true })
@AfterTestReset('emptied')
export class Contact {
  @PrimaryGeneratedColumn('identity', { type: 'integer', generatedIdentity: 'ALWAYS' })
  id!: number;

  @Column({ type: 'integer' })
  personId!: number;

  @Column({ type: 'text' })
  kind!: 'email' | 'phone';

  @Column({ type: 'text' })
  value!: string;

  @Column({ type: 'text', nullable: true })
  folded!: string | null;

  @Column({ type: 'boolean' })
  confirmed!: boolean;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'text', nullable: true })
  foldedBy!: string | null;
}
