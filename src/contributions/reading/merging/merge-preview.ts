import { listOf, Property } from '../../../http/index.js';
import { ContactView, PersonView } from '../../../people/index.js';
import { COUNT, MAX_CURRENCIES, Totals } from '../../ledger/index.js';

/** A person before a merge, with what belongs to it. */
export class PersonToMerge {
  @Property(PersonView, { description: 'The person, with all contacts. MergePersons needs its `version`.' })
  readonly person!: PersonView;

  @Property(COUNT, { description: 'Its gifts, without pledges. Each part of a split payment is one.', examples: [12] })
  readonly gifts!: number;

  @Property(COUNT, { description: 'Its pledges, which are only promises.', examples: [1] })
  readonly pledges!: number;

  @Property(listOf(Totals, MAX_CURRENCIES), {
    description: 'One entry for each currency, usually one. Net of reversals.',
  })
  readonly totals!: readonly Totals[];

  @Property(COUNT, { description: 'Open reviews of its gifts.', examples: [1] })
  readonly openReviews!: number;
}

/** The result of a merge before it is made. */
export class MergePreview {
  @Property(PersonToMerge, { description: 'The person who becomes a pointer. All that belongs to it moves.' })
  readonly from!: PersonToMerge;

  @Property(PersonToMerge, { description: 'The person who is kept.' })
  readonly into!: PersonToMerge;

  @Property(listOf(ContactView), { description: 'The contacts that the person who is kept gets in addition.' })
  readonly newContacts!: readonly ContactView[];
}
