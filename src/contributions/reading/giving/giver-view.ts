import { listOf, Property } from '../../../http/index.js';
import { PersonView } from '../../../people/index.js';
import { COUNT, MONEY, Totals, YEAR } from '../../ledger/index.js';

/**
 * The gifts of a person in one year of the church's calendar, in one currency. `count` and `total` are of all gifts. The
 * other fields divide them by what a giving statement may state, and add up to them.
 */
export class YearOfGiving extends Totals {
  @Property(YEAR, { description: 'Year of the gifts, in church time.', examples: [2026] })
  readonly year!: number;

  @Property(COUNT, { description: 'Gifts of money and their reversing entries, without NonTaxDed.', examples: [10] })
  readonly deductibleCount!: number;

  @Property(MONEY, { description: 'Sum of their amounts.', examples: ['400.50'] })
  readonly deductibleTotal!: string;

  @Property(COUNT, { description: 'Gifts of type NonTaxDed (9).', examples: [1] })
  readonly nonDeductibleCount!: number;

  @Property(MONEY, { description: 'Sum of their amounts.', examples: ['30.00'] })
  readonly nonDeductibleTotal!: string;

  @Property(COUNT, { description: 'Gifts of the types Gift In Kind (10) and Stock (20).', examples: [1] })
  readonly nonCashCount!: number;

  @Property(MONEY, {
    description: 'Sum of their values, for the books only. A giving statement describes such gifts without a value.',
    examples: ['50.00'],
  })
  readonly nonCashTotal!: string;
}

/** A person with the totals of their gifts. */
export class GiverView extends PersonView {
  @Property(listOf(YearOfGiving), {
    description:
      'One entry for each year and currency, the latest first. A reversal counts in the year in which it was made, and a ' +
      'reinstatement in the year of the reversal that it undoes. Moves to another fund do not count. Empty for a merged person, whose gifts belong to the surviving person.',
  })
  readonly giving!: readonly YearOfGiving[];
}
