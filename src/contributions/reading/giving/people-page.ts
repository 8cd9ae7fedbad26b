import { listOf, Property } from '../../../http/index.js';
import { ContactView, type FoundPersonView } from '../../../people/index.js';
import { PLAIN_ID_SCHEMA, TEXTS } from '../../../values/index.js';
import { MAX_CURRENCIES, Totals, YEAR } from '../../ledger/index.js';

/** The most people on a page. */
export const PEOPLE_PER_PAGE = 200;

/** The gifts of a person in one currency. */
export class GivingOverYears extends Totals {
  @Property(YEAR, { description: 'Year of the first gift, in church time.', examples: [2019] })
  readonly firstYear!: number;

  @Property(YEAR, { description: 'Year of the last gift, in church time.', examples: [2026] })
  readonly lastYear!: number;
}

/** A person in the result of a search. */
export class FoundPerson implements FoundPersonView {
  @Property(PLAIN_ID_SCHEMA, { description: 'Id of the person.', examples: [152] })
  readonly peopleId!: number;

  @Property(TEXTS.name, { description: 'First name.', examples: ['John'] })
  readonly first!: string;

  @Property(TEXTS.name, { description: 'Last name.', examples: ['Appleseed'] })
  readonly last!: string;

  @Property(TEXTS.name, { description: 'Nickname.', examples: ['Johnny'], nullable: true })
  readonly nickname!: string | null;

  @Property(TEXTS.name, { description: 'Former last name.', examples: ['Chapman'], nullable: true })
  readonly formerLast!: string | null;

  @Property({ type: 'boolean' }, { description: 'If true, gifts are listed for review.', examples: [false] })
  readonly deceased!: boolean;

  @Property(listOf(ContactView), { description: 'All e-mail addresses and phone numbers.' })
  readonly contacts!: readonly ContactView[];

  @Property(listOf(GivingOverYears, MAX_CURRENCIES), {
    description: 'One entry for each currency; empty if the person gave nothing.',
  })
  readonly giving!: readonly GivingOverYears[];
}

/** A page of a search for people. */
export class PeoplePage {
  @Property(listOf(FoundPerson, PEOPLE_PER_PAGE), {
    description:
      'The best matches first: by id or phone number, by a whole word, by its beginning; among equal ones the lowest PeopleId.',
  })
  readonly people!: readonly FoundPerson[];

  @Property(TEXTS.word, {
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
