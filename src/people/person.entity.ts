import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** Somebody who gave. Names stand beside their folded forms, which matching compares (folding.ts). */
@Entity({ name: 'person' })
export class Person {
  @PrimaryGeneratedColumn('identity', { type: 'integer' })
  id!: number;

  @Column({ type: 'text', name: 'first_name' })
  firstName!: string;

  @Column({ type: 'text', name: 'last_name' })
  lastName!: string;

  @Column({ type: 'text', nullable: true })
  nickname!: string | null;

  @Column({ type: 'text', name: 'former_last_name', nullable: true })
  formerLastName!: string | null;

  /** The primary address; all that matching knows of are in `contact`, kept by the database. */
  @Column({ type: 'text' })
  email!: string;

  @Column({ type: 'text' })
  phone!: string;

  @Column({ type: 'text', nullable: true })
  address!: string | null;

  @Column({ type: 'text', nullable: true })
  zip!: string | null;

  @Column({ type: 'text', name: 'first_name_folded', nullable: true })
  firstNameFolded!: string | null;

  @Column({ type: 'text', name: 'last_name_folded', nullable: true })
  lastNameFolded!: string | null;

  @Column({ type: 'text', name: 'nickname_folded', nullable: true })
  nicknameFolded!: string | null;

  @Column({ type: 'text', name: 'former_last_name_folded', nullable: true })
  formerLastNameFolded!: string | null;

  @Column({ type: 'text', name: 'email_folded', nullable: true })
  emailFolded!: string | null;

  /** E.164. */
  @Column({ type: 'text', name: 'phone_folded', nullable: true })
  phoneFolded!: string | null;

  /** Gifts to this person's name are taken in and listed for review. */
  @Column({ type: 'boolean' })
  deceased!: boolean;

  /** The person this one was merged into, which may have been merged as well; null for one that stands. */
  @Column({ type: 'integer', name: 'merged_into', nullable: true })
  mergedInto!: number | null;
}
