import { Amount, type Column } from '../../../pages/index.js';
import { ContactValues } from '../contact-values.js';
import type { FoundPerson } from '../giving/people-page.js';

export const CONTACTS_COLUMN: Column<FoundPerson> = {
  header: 'Contacts',
  cell: ({ contacts }) => <ContactValues contacts={contacts} />,
};

export const GIFTS_COLUMN: Column<FoundPerson> = {
  header: 'Given',
  align: 'right',
  cell: ({ giving }) =>
    giving.map(({ currency, count, total, pledgeCount, pledgeTotal, firstYear, lastYear }) => (
      <div key={currency}>
        {(count > 0 || pledgeCount === 0) && <Amount value={total} currency={currency} />}
        {count > 0 && pledgeCount > 0 && ', '}
        {pledgeCount > 0 && (
          <>
            pledged <Amount value={pledgeTotal} currency={currency} />
          </>
        )}
        , {firstYear === lastYear ? firstYear : `${firstYear}–${lastYear}`}
      </div>
    )),
};
