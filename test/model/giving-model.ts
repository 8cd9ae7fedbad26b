import type { Books } from './books.js';
import type { Entry } from './entry.js';
import { sum } from './payment-model.js';
import { decimal } from './views.js';

const [PLEDGE, NON_DEDUCTIBLE, IN_KIND, STOCK] = [8, 9, 10, 20];

/**
 * The totals of a person by year, the latest first. A reinstatement counts in the year of the reversal that it undoes, and
 * a reversing entry under the type of its gift. Moves do not count.
 */
export function givingOf({ ledger }: Books, peopleId: number): object[] {
  const years = new Map<string, Entry[]>();
  for (const entry of ledger.entries.values()) {
    if (entry.personId !== peopleId || entry.kind === 'move') continue;
    const { day } = entry.kind === 'reinstatement' ? (entry.of ?? entry) : entry;
    const year = day.slice(0, 4);
    years.set(year, [...(years.get(year) ?? []), entry]);
  }
  return [...years].sort(([a], [b]) => Number(b) - Number(a)).map(([year, entries]) => yearView(Number(year), entries));
}

function yearView(year: number, entries: readonly Entry[]): object {
  const type = (entry: Entry): number => (entry.kind === 'reversing entry' ? (entry.of ?? entry) : entry).typeId;
  const of = (...types: readonly (number | undefined)[]): Entry[] => entries.filter((one) => types.includes(type(one)));
  const not = (...types: readonly (number | undefined)[]): Entry[] =>
    entries.filter((one) => !types.includes(type(one)));
  const totals = (name: string, some: readonly Entry[]): object => ({
    [name === '' ? 'count' : `${name}Count`]: some.length,
    [name === '' ? 'total' : `${name}Total`]: decimal(sum(some)),
  });
  return {
    year,
    currency: 'USD',
    ...totals('', not(PLEDGE)),
    ...totals('pledge', of(PLEDGE)),
    ...totals('deductible', not(PLEDGE, NON_DEDUCTIBLE, IN_KIND, STOCK)),
    ...totals('nonDeductible', of(NON_DEDUCTIBLE)),
    ...totals('nonCash', of(IN_KIND, STOCK)),
  };
}
