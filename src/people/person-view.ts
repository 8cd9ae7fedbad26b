import { listOf, Property } from '../http/index.js';
import { INSTANT, listUpTo, PLAIN_ID_SCHEMA, TEXTS } from '../values/index.js';

/** `kind` of a contact. */
export const CONTACT_KINDS = ['email', 'phone'] as const;

/** An e-mail address or phone number of a person. */
export class ContactView {
  @Property(PLAIN_ID_SCHEMA, { description: 'Id of the contact.', examples: [31] })
  readonly id!: number;

  @Property(PLAIN_ID_SCHEMA, { description: 'Id of the person.', examples: [152] })
  readonly peopleId!: number;

  @Property(
    { type: 'string', enum: CONTACT_KINDS },
    { description: 'E-mail address or phone number.', examples: ['email'] },
  )
  readonly kind!: (typeof CONTACT_KINDS)[number];

  @Property(TEXTS.contact, { description: 'As sent.', examples: ['john@example.org'] })
  readonly value!: string;

  @Property({ type: 'boolean' }, { description: 'Only confirmed contacts are used for matching.', examples: [true] })
  readonly confirmed!: boolean;

  @Property(INSTANT, { description: 'When it was first sent.', examples: ['2026-07-26T14:03:09.512Z'] })
  readonly createdAt!: string;
}

/** A person with all details and contacts. */
export class PersonView {
  @Property(PLAIN_ID_SCHEMA, { description: 'Id of the person.', examples: [152] })
  readonly peopleId!: number;

  @Property(TEXTS.name, { description: 'First name.', examples: ['John'] })
  readonly first!: string;

  @Property(TEXTS.name, { description: 'Last name.', examples: ['Appleseed'] })
  readonly last!: string;

  @Property(TEXTS.name, { description: 'Nickname. Matches like the first name.', examples: ['Johnny'], nullable: true })
  readonly nickname!: string | null;

  @Property(TEXTS.name, {
    description: 'Former last name, such as a maiden name.',
    examples: ['Chapman'],
    nullable: true,
  })
  readonly formerLast!: string | null;

  @Property(TEXTS.email, {
    description: 'First e-mail address; all are in `contacts`.',
    examples: ['john@example.org'],
  })
  readonly email!: string;

  @Property(TEXTS.phone, { description: 'First phone number; all are in `contacts`.', examples: ['901-489-0611'] })
  readonly phone!: string;

  @Property(TEXTS.address, { description: 'Postal address.', examples: ['1 Main Street'], nullable: true })
  readonly address!: string | null;

  @Property(TEXTS.zip, { description: 'Postal code.', examples: ['38103'], nullable: true })
  readonly zip!: string | null;

  @Property({ type: 'boolean' }, { description: 'If true, gifts are listed for review.', examples: [false] })
  readonly deceased!: boolean;

  @Property(PLAIN_ID_SCHEMA, { description: 'The person it was merged into.', examples: [187], nullable: true })
  readonly mergedInto!: number | null;

  @Property(listUpTo(PLAIN_ID_SCHEMA), {
    description: 'The persons who were merged into it, also through others.',
    examples: [[140]],
  })
  readonly mergedFrom!: readonly number[];

  @Property(TEXTS.word, {
    description: 'Changes with each edit, and with a merge into another person. EditPerson needs it.',
    examples: ['5f3a1c0b9e8d7a64'],
  })
  readonly version!: string;

  @Property(listOf(ContactView), { description: 'All e-mail addresses and phone numbers.' })
  readonly contacts!: readonly ContactView[];
}
