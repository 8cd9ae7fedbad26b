import { listOf, Property } from '../../../http/index.js';
import { PersonView } from '../../../people/index.js';
import { COUNT, MONEY, Totals } from '../../ledger/index.js';

/**
 * What a person gave in one year of the church's calendar, in one currency. `count` and `total` are of all gifts; the
 * other figures divide them by what a giving statement may say of them, and add up to them.
 */
export class YearOfGiving extends Totals {
  @Property({ type: 'integer' }, { description: 'Of the days of the gifts, church time.', examples: [2026] })
  readonly year!: number;

  @Property(COUNT, { description: 'Gifts of money and their reversing entries, without NonTaxDed.', examples: [10] })
  readonly deductibleCount!: number;

  @Property(MONEY, { description: 'Their plain sum.', examples: ['400.50'] })
  readonly deductibleTotal!: string;

  @Property(COUNT, { description: 'Those of type NonTaxDed (9).', examples: [1] })
  readonly nonDeductibleCount!: number;

  @Property(MONEY, { description: 'Their plain sum.', examples: ['30.00'] })
  readonly nonDeductibleTotal!: string;

  @Property(COUNT, { description: 'Those of the types Gift In Kind (10) and Stock (20).', examples: [1] })
  readonly nonCashCount!: number;

  @Property(MONEY, {
    description: 'Their plain sum: a value for the books. A statement describes such gifts without a value.',
    examples: ['50.00'],
  })
  readonly nonCashTotal!: string;
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
