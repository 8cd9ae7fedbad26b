import type { VNode } from 'preact';
import { Amount, type Column, Day, type FormState, Link, Pagination, Table } from '../../../pages/index.js';
import type { FoundGift, GiftPage } from '../searching/found-gift-view.js';
import { EXPORTED_GIFTS } from '../searching/search-gifts.service.js';
import { methodInWords, typeColumn } from './wording.js';

const GIFTS = '/console/gifts';

interface FoundProps {
  readonly page: GiftPage;
  readonly filters: FormState['typed'];
  readonly isLater: boolean;
}

/** The gifts that were found. */
export function FoundGifts({ page, filters, isLater }: FoundProps): VNode {
  const { gifts, next, more, complete } = page;
  const isSearch = Object.values(filters).some((value) => value !== '');
  return (
    <>
      {!complete && (
        <p class="notice" role="status">
          Earlier gifts are still being prepared for the search after an upgrade. In some minutes, all are found.
        </p>
      )}
      <Table
        caption="Gifts, those recorded last first"
        rows={gifts}
        keyOf={({ contributionId }) => contributionId}
        columns={columnsFor(gifts)}
        empty={
          isSearch
            ? 'No gift is like that. Try a part of the name, or only the amount, and look at the filters.'
            : 'There are no gifts yet. Gifts of your processor appear here as soon as they arrive.'
        }
      />
      {isSearch && gifts.length > 0 && !more && !isLater && (
        <p class="count">{gifts.length === 1 ? '1 gift was found.' : `${gifts.length} gifts were found.`}</p>
      )}
      {more && <p class="help">The CSV file has the {EXPORTED_GIFTS} gifts that were recorded last, at most.</p>}
      <Pagination to={GIFTS} query={filters} next={next === null ? undefined : { after: next }} isLater={isLater} />
    </>
  );
}

const columnsFor = (gifts: readonly FoundGift[]): readonly Column<FoundGift>[] => [
  { header: 'Day', cell: ({ day }) => <Day value={day} /> },
  { header: 'Giver', cell: (gift) => <GiverOfRow gift={gift} /> },
  { header: 'Fund', cell: ({ fund }) => fund },
  { header: 'Amount', align: 'right', cell: ({ amount, currency }) => <Amount value={amount} currency={currency} /> },
  ...typeColumn(gifts),
  { header: 'Method', cell: (gift) => methodInWords(gift) ?? '' },
  { header: 'Processor', cell: ({ processor }) => processor },
  { header: 'Status', cell: (gift) => <StatusOfRow gift={gift} /> },
];

function GiverOfRow({ gift }: { readonly gift: FoundGift }): VNode {
  const { first, last, asSent } = gift.giver;
  return (
    <span>
      <Link to={`${GIFTS}/${gift.contributionId}`}>
        {first} {last}
      </Link>
      {asSent !== null && (
        <small>
          {' '}
          sent as {asSent.first} {asSent.last}
        </small>
      )}
    </span>
  );
}

function StatusOfRow({ gift: { status, amount, left, currency } }: { readonly gift: FoundGift }): VNode {
  if (status === 'Reversed') return <span>Taken back</span>;
  if (left === amount) return <span>Recorded</span>;
  return (
    <span>
      <Amount value={left} currency={currency} /> left
    </span>
  );
}
