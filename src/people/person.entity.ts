import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** Somebody who gave. What was sent stands beside its folded form, which matching compares (folding.ts). */
@Entity({ name: 'person' })
export class Person {
  @PrimaryGeneratedColumn('identity', { type: 'integer' })
  id!: number;

  @Column({ type: 'text', name: 'first_name' })
  firstName!: string;

  @Column({ type: 'text', name: 'last_name' })
  lastName!: string;

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

  @Column({ type: 'text', name: 'email_folded', nullable: true })
  emailFolded!: string | null;

  /** E.164. */
  @Column({ type: 'text', name: 'phone_folded', nullable: true })
  phoneFolded!: string | null;
}
