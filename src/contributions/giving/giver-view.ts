import { listOf, Property } from '../../http/index.js';
import { PersonView } from '../../people/index.js';
import { Totals } from '../totals.js';

/** What a person gave in one year of the church's calendar, in one currency. */
export class YearOfGiving extends Totals {
  @Property({ type: 'integer' }, { description: 'Of the days of the gifts, church time.', examples: [2026] })
  readonly year!: number;
}

/** A person, and what it gave. */
export class GiverView extends PersonView {
  @Property(listOf(YearOfGiving), {
    description:
      'One for each year and currency, the latest first. A reversal counts in the year in which it was made. None on a ' +
      'person that was merged: its gifts are the surviving one’s.',
  })
  readonly giving!: readonly YearOfGiving[];
}
