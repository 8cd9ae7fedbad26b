import { listOf, Property } from '../../../http/index.js';
import { ContactView, type FoundPersonView } from '../../../people/index.js';
import { PLAIN_ID_SCHEMA } from '../../../values/index.js';
import { Totals } from '../../ledger/index.js';

const TEXT = { type: 'string' } as const;

/** The gifts of a person in one currency. */
export class GivingOverYears extends Totals {
  @Property({ type: 'integer' }, { description: 'Year of the first gift, in church time.', examples: [2019] })
  readonly firstYear!: number;

  @Property({ type: 'integer' }, { description: 'Year of the last gift, in church time.', examples: [2026] })
  readonly lastYear!: number;
}

/** A person in the result of a search. */
export class FoundPerson implements FoundPersonView {
  @Property(PLAIN_ID_SCHEMA, { description: 'Id of the person.', examples: [152] })
  readonly peopleId!: number;

  @Property(TEXT, { description: 'First name.', examples: ['John'] })
  readonly first!: string;

  @Property(TEXT, { description: 'Last name.', examples: ['Appleseed'] })
  readonly last!: string;

  @Property(TEXT, { description: 'Nickname.', examples: ['Johnny'], nullable: true })
  readonly nickname!: string | null;

  @Property(TEXT, { description: 'Former last name.', examples: ['Chapman'], nullable: true })
  readonly formerLast!: string | null;

  @Property({ type: 'boolean' }, { description: 'If true, gifts are listed for review.', examples: [false] })
  readonly deceased!: boolean;

  @Property(listOf(ContactView), { description: 'All e-mail addresses and phone numbers.' })
  readonly contacts!: readonly ContactView[];

  @Property(listOf(GivingOverYears), { description: 'One entry for each currency; empty if the person gave nothing.' })
  readonly giving!: readonly GivingOverYears[];
}

/** A page of a search for people. */
export class PeoplePage {
  @Property(listOf(FoundPerson), {
    description:
      'The best matches first: by id or phone number, by a whole word, by its beginning; among equal ones the lowest PeopleId.',
  })
  readonly people!: readonly FoundPerson[];

  @Property(TEXT, {
    description: 'Send it as `after` to get the next page; null on the last page.',
    examples: ['2.152'],
    nullable: true,
  })
  readonly next!: string | null;

  @Property({ type: 'boolean' }, { description: 'Whether there are more people.', examples: [false] })
  readonly more!: boolean;

  @Property(
    { type: 'boolean' },
    {
      description:
        'False for some minutes after an upgrade to the first version with search: some people may be missing.',
      examples: [true],
    },
  )
  readonly complete!: boolean;
}
