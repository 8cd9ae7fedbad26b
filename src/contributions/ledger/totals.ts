import { Property } from '../../http/index.js';
import { amountInWords, groupedCount } from '../../pages/index.js';
import { COUNT, CURRENCY, MONEY } from './answer-schemas.js';
import { PLEDGE_TYPE } from './reference-data.js';
import { displayAmount } from '../../values/index.js';

/**
 * Totals of contributions in one currency. Amounts are decimal text. Sums include reversing entries and reinstatements,
 * so they are net of what is reversed. The two entries of a move to another fund cancel each other out, except in totals
 * by fund. Pledges are only promises and are counted separately.
 */
export class Totals {
  @Property(CURRENCY, { description: 'ISO 4217.', examples: ['USD'] })
  readonly currency!: string;

  @Property(COUNT, {
    description:
      'Entries, without pledges: gifts (each part of a split payment is one), reversing entries, reinstatements, and the ' +
      'two entries of each move to another fund.',
    examples: [12],
  })
  readonly count!: number;

  @Property(MONEY, { description: 'Sum of their amounts.', examples: ['480.50'] })
  readonly total!: string;

  @Property(COUNT, { description: 'Pledges, which are only promises.', examples: [1] })
  readonly pledgeCount!: number;

  @Property(MONEY, { description: 'Sum of the pledges.', examples: ['100.00'] })
  readonly pledgeTotal!: string;
}

/** SQL for the type of a contribution `c`. A reversing entry has the type of its `gift`; a move has that type itself. */
export const TYPE_OF_GIFT = 'COALESCE(gift.contribution_type_id, c.contribution_type_id)';
export const JOIN_GIFT = 'LEFT JOIN contribution gift ON gift.id = c.reverses_id';

/** An SQL condition on {@link TYPE_OF_GIFT}. */
export function isOfType(...typeIds: readonly number[]): string {
  return `${TYPE_OF_GIFT} IN (${typeIds.join(', ')})`;
}

/** SQL columns for count and sum of the contributions that meet a condition: `<name>Count` and `<name>Total`, or `count`, `total`. */
export function sumsOf(name: string, condition: string): string {
  const [count, total] = name === '' ? ['count', 'total'] : [`${name}Count`, `${name}Total`];
  return `(count(*) FILTER (WHERE ${condition}))::integer AS "${count}",
  COALESCE(sum(c.amount) FILTER (WHERE ${condition}), 0)::text AS "${total}"`;
}

/** The columns of {@link Totals} for a statement that groups by `c.currency`. Pass its rows to {@link displayTotals}. */
export const SUMS = `
  c.currency,
  ${sumsOf('', `NOT ${isOfType(PLEDGE_TYPE)}`)},
  ${sumsOf('pledge', isOfType(PLEDGE_TYPE))}`;

/** The same totals with the decimals of their currency. */
export function displayTotals<T extends Totals>(row: T): T {
  return {
    ...row,
    total: displayAmount(row.total, row.currency),
    pledgeTotal: displayAmount(row.pledgeTotal, row.currency),
  };
}

/** The totals in words: "12 entries, USD 480.50, and 1 pledge, USD 100.00". */
export function describeTotals(totals: readonly Totals[]): string {
  if (totals.length === 0) return 'empty';
  return totals
    .map(({ currency, count, total, pledgeCount, pledgeTotal }) => {
      const pledged = `, and ${groupedCount(pledgeCount)} ${pledgeCount === 1 ? 'pledge' : 'pledges'}, ${amountInWords(pledgeTotal, currency)}`;
      const given = `${groupedCount(count)} ${count === 1 ? 'entry' : 'entries'}, ${amountInWords(total, currency)}`;
      return pledgeCount === 0 ? given : given + pledged;
    })
    .join('; ');
}
