import { Amount, type Column } from '../../../pages/index.js';
import type { FoundPerson } from '../giving/people-page.js';

export const CONTACTS_COLUMN: Column<FoundPerson> = {
  header: 'Contacts',
  cell: ({ contacts }) => contacts.map(({ value }) => value).join(', '),
};

export const GIFTS_COLUMN: Column<FoundPerson> = {
  header: 'Given',
  align: 'right',
  cell: ({ giving }) =>
    giving.map(({ currency, total, firstYear, lastYear }) => (
      <div key={currency}>
        <Amount value={total} currency={currency} />, {firstYear === lastYear ? firstYear : `${firstYear}–${lastYear}`}
      </div>
    )),
};
