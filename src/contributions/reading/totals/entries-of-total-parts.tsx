import type { VNode } from 'preact';
import { Amount, Facts, Link, ListCount, Pagination, type ShownRows } from '../../../pages/index.js';
import { EntryTable } from '../entry-table.js';
import type { EntriesOfTotal, TotalOfEntries } from './list-entries-of-total.service.js';
import { monthsInWords } from './month-words.js';

export const ENTRIES = '/console/totals/entries';

/** The query of the page with the entries of a number. */
export function queryOfTotal({ from, to, currency, fundId }: TotalOfEntries): Readonly<Record<string, string>> {
  return { from, to, currency, ...(fundId !== undefined && { fundId: String(fundId) }) };
}

interface EntriesProps {
  readonly total: TotalOfEntries;
  readonly found: EntriesOfTotal;
  readonly funds: ReadonlyMap<number, string>;
  readonly names: ReadonlyMap<number, string>;
  readonly rows: ShownRows;
}

/** The entries that add up to a number of the totals, with their sum. */
export function Entries({ total, found, funds, names, rows }: EntriesProps): VNode {
  const { from, to, currency, fundId } = total;
  return (
    <>
      <Facts
        facts={[
          ['Fund', fundId === undefined ? 'All funds' : (funds.get(fundId) ?? '')],
          ['Months', monthsInWords(from, to)],
          ['Net', <Amount key="net" value={found.sum} currency={currency} />],
        ]}
      />
      <p class="help">
        These gifts add up to the number. What was taken back or moved to another fund in these months is a line with a
        minus. Pledges are not listed.
      </p>
      <div class="list-head">
        <ListCount {...rows} count={found.count} of={['entry', 'entries']} />
      </div>
      <EntryTable caption="Entries, those recorded last first" entries={found.entries} funds={funds} names={names} />
      <Pagination
        to={ENTRIES}
        query={queryOfTotal(total)}
        next={found.next === undefined ? undefined : { after: found.next }}
        isLater={rows.first > 1}
        rows={rows}
      />
      <p class="back">
        <Link to={`/console/totals?year=${to.slice(0, 4)}`}>Back to the totals</Link>
      </p>
    </>
  );
}
