import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { AfterTestReset, ServiceRights } from '../database/index.js';

/** A person who gave. Matching compares the folded forms of names and contacts (folding.ts). */
@Entity({ name: 'person' })
@ServiceRights({
  insert: true,
  update: [
    ...['first_name', 'first_name_folded', 'last_name', 'last_name_folded', 'nickname', 'nickname_folded'],
    ...['former_last_name', 'former_last_name_folded', 'email', 'email_folded', 'phone', 'phone_folded'],
    ...['address', 'zip', 'deceased', 'merged_into', 'folded_by', 'first_names_before', 'last_names_before'],
  ],
})
@AfterTestReset('emptied')
export class Person {
  @PrimaryGeneratedColumn('identity', { type: 'integer', generatedIdentity: 'ALWAYS' })
  id!: number;

  @Column({ type: 'text' })
  firstName!: string;

  @Column({ type: 'text' })
  lastName!: string;

  @Column({ type: 'text', nullable: true })
  nickname!: string | null;

  @Column({ type: 'text', nullable: true })
  formerLastName!: string | null;

  /** The primary address. Matching uses the table `contact`, which triggers maintain. */
  @Column({ type: 'text' })
  email!: string;

  @Column({ type: 'text' })
  phone!: string;

  @Column({ type: 'text', nullable: true })
  address!: string | null;

  @Column({ type: 'text', nullable: true })
  zip!: string | null;

  @Column({ type: 'text', nullable: true })
  firstNameFolded!: string | null;

  @Column({ type: 'text', nullable: true })
  lastNameFolded!: string | null;

  @Column({ type: 'text', nullable: true })
  nicknameFolded!: string | null;

  @Column({ type: 'text', nullable: true })
  formerLastNameFolded!: string | null;

  @Column({ type: 'text', nullable: true })
  emailFolded!: string | null;

  /** E.164. */
  @Column({ type: 'text', nullable: true })
  phoneFolded!: string | null;

  /** Gifts of this person are accepted and listed for review. */
  @Column({ type: 'boolean', default: false })
  deceased!: boolean;

  /** The person this one was merged into, which may have been merged as well; null if it was not merged. */
  @Column({ type: 'integer', nullable: true })
  mergedInto!: number | null;

  /** The rule of the folded forms (folding.ts); null until they exist. */
  @Column({ type: 'text', nullable: true })
  foldedBy!: string | null;

  @Column({ type: 'text', array: true, nullable: true })
  firstNamesBefore!: string[] | null;

  @Column({ type: 'text', array: true, nullable: true })
  lastNamesBefore!: string[] | null;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  createdAt!: Date;
}
