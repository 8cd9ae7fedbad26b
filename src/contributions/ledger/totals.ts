import { Property } from '../../http/index.js';
import { COUNT, CURRENCY, MONEY } from './answer-schemas.js';
import { PLEDGE_TYPE } from './reference-data.js';
import { displayAmount } from '../../values/index.js';

/**
 * What some contributions come to, in one currency. Amounts are decimal text and plain sums, so net of what was
 * reversed; pledges are a promise and stand apart.
 */
export class Totals {
  @Property(CURRENCY, { description: 'ISO 4217.', examples: ['USD'] })
  readonly currency!: string;

  @Property(COUNT, { description: 'Gifts and reversing entries, without pledges.', examples: [12] })
  readonly count!: number;

  @Property(MONEY, { description: 'Their plain sum.', examples: ['480.50'] })
  readonly total!: string;

  @Property(COUNT, { description: 'Pledges, which are a promise and stand apart.', examples: [1] })
  readonly pledgeCount!: number;

  @Property(MONEY, { description: 'Their plain sum.', examples: ['100.00'] })
  readonly pledgeTotal!: string;
}

/** By type a reversing entry counts under its gift's. `c` is the contribution, `gift` the one that it takes back. */
export const TYPE_OF_GIFT = 'COALESCE(gift.contribution_type_id, c.contribution_type_id)';
export const JOIN_GIFT = 'LEFT JOIN contribution gift ON gift.id = c.reverses_id';

/** A condition in SQL on {@link TYPE_OF_GIFT}. */
export function isOfType(...typeIds: readonly number[]): string {
  return `${TYPE_OF_GIFT} IN (${typeIds.join(', ')})`;
}

/** The columns `<name>Count` and `<name>Total`, or `count` and `total` without a name, of those that meet a condition. */
export function sumsOf(name: string, condition: string): string {
  const [count, total] = name === '' ? ['count', 'total'] : [`${name}Count`, `${name}Total`];
  return `(count(*) FILTER (WHERE ${condition}))::integer AS "${count}",
  COALESCE(sum(c.amount) FILTER (WHERE ${condition}), 0)::text AS "${total}"`;
}

/** The columns of {@link Totals} for a statement that groups by `c.currency`; the sums are brought to it by `display`. */
export const SUMS = `
  c.currency,
  ${sumsOf('', `NOT ${isOfType(PLEDGE_TYPE)}`)},
  ${sumsOf('pledge', isOfType(PLEDGE_TYPE))}`;

/** Amounts as people of their currency write them. */
export function display<T extends Totals>(row: T): T {
  return {
    ...row,
    total: displayAmount(row.total, row.currency),
    pledgeTotal: displayAmount(row.pledgeTotal, row.currency),
  };
}

/** As a line tells them. */
export function inWords(totals: readonly Totals[]): string {
  if (totals.length === 0) return 'empty';
  return totals
    .map(({ currency, count, total, pledgeCount, pledgeTotal }) => {
      const pledges = pledgeCount === 0 ? '' : `, ${pledgeCount} pledges of ${currency} ${pledgeTotal}`;
      return `${count} of ${currency} ${total}${pledges}`;
    })
    .join('; ');
}
