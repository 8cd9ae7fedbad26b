import { listOf, Property } from '../../../http/index.js';
import { type JsonSchema, listUpTo, PLAIN_ID_SCHEMA, TEXTS } from '../../../values/index.js';
import { COUNT, CURRENCY, MAX_CURRENCIES, MONEY } from '../../ledger/index.js';

/** The most months of totals: five years. */
export const MOST_MONTHS = 60;

/** A month of the church's calendar, YYYY-MM. */
export const MONTH: JsonSchema = {
  type: 'string',
  maxLength: 'YYYY-MM'.length,
  pattern: '^\\d{4}-(0[1-9]|1[0-2])$',
};

/**
 * Sums of one fund and month, or of several. Amounts are decimal text and net: reversals count as negative amounts in the
 * month in which they were made. `total` is the sum of the next three; pledges are only promises and are separate.
 */
export class MonthSums {
  @Property(COUNT, {
    description: 'Gifts, each part of a split payment being one. Those that were reversed later count; pledges do not.',
    examples: [12],
  })
  readonly gifts!: number;

  @Property(MONEY, { description: 'Net sum of all entries.', examples: ['480.50'] })
  readonly total!: string;

  @Property(MONEY, { description: 'Of gifts of money, without NonTaxDed.', examples: ['400.50'] })
  readonly deductible!: string;

  @Property(MONEY, { description: 'Of gifts of type NonTaxDed (9).', examples: ['30.00'] })
  readonly nonDeductible!: string;

  @Property(MONEY, { description: 'Of gifts of the types Gift In Kind (10) and Stock (20).', examples: ['50.00'] })
  readonly nonCash!: string;

  @Property(MONEY, { description: 'Sum of the pledges, which `total` does not contain.', examples: ['0.00'] })
  readonly pledges!: string;
}

/** The sums of one fund. */
export class FundSums {
  @Property(PLAIN_ID_SCHEMA, { description: 'Id of the fund.', examples: [1] })
  readonly fundId!: number;

  @Property(TEXTS.name, { description: 'Name of the fund.', examples: ['General'] })
  readonly name!: string;

  @Property(listOf(MonthSums, MOST_MONTHS), { description: 'In the order of `months`.' })
  readonly months!: readonly MonthSums[];

  @Property(MonthSums, { description: 'Of all months.' })
  readonly sum!: MonthSums;
}

/** The sums in one currency. */
export class CurrencySums {
  @Property(CURRENCY, { description: 'ISO 4217.', examples: ['USD'] })
  readonly currency!: string;

  @Property(listOf(FundSums), { description: 'Funds with an entry in these months, in the order of their ids.' })
  readonly funds!: readonly FundSums[];

  @Property(listOf(MonthSums, MOST_MONTHS), { description: 'Of all funds, in the order of `months`.' })
  readonly months!: readonly MonthSums[];

  @Property(MonthSums, { description: 'Of all funds and months.' })
  readonly sum!: MonthSums;
}

/** Totals by fund and month. */
export class TotalsView {
  @Property(listUpTo(MONTH, MOST_MONTHS), { description: 'The months, in order.', examples: [['2026-01']] })
  readonly months!: readonly string[];

  @Property(listOf(CurrencySums, MAX_CURRENCIES), {
    description: 'The church’s currency first. Several if the church has changed its currency.',
  })
  readonly currencies!: readonly CurrencySums[];
}
