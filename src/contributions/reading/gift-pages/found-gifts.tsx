import type { VNode } from 'preact';
import {
  Amount,
  type Column,
  Day,
  type FormState,
  Link,
  ListCount,
  MonthLinks,
  Pagination,
  queryOf,
  type ShownRows,
  Table,
} from '../../../pages/index.js';
import { NothingFound } from '../people-pages/nothing-found.js';
import type { FoundGift } from '../searching/found-gift-view.js';
import { EXPORTED_GIFTS, type GiftsOnPage } from '../searching/search-gifts.service.js';
import { GiverName } from './giver-name.js';
import { methodInWords, typeColumn } from './wording.js';

const GIFTS = '/console/gifts';

interface FoundProps {
  readonly page: GiftsOnPage;
  readonly rows: ShownRows;
  /** The open reviews of the gifts on the page, by ContributionId. */
  readonly reviews: ReadonlyMap<number, number>;
  readonly filters: FormState['typed'];
  readonly isLater: boolean;
}

/** The gifts that were found. */
export function FoundGifts({ page, rows, reviews, filters, isLater }: FoundProps): VNode {
  const { gifts, next, more, complete, count } = page;
  const isOfDays = [filters['from'], filters['to']].some((day) => day !== undefined && day !== '');
  return (
    <>
      {!complete && (
        <p class="notice" role="status">
          Earlier gifts are still being prepared for the search after an upgrade. In some minutes, all are found.
        </p>
      )}
      <div class="list-head">
        {(more || isLater || isOfDays) && <MonthLinks to={GIFTS} query={filters} />}
        <ListCount {...rows} count={count} of={['gift', 'gifts']} />
      </div>
      <Table
        caption="Gifts, those recorded last first"
        rows={gifts}
        keyOf={({ contributionId }) => contributionId}
        columns={columnsFor(gifts, reviews)}
        empty={<NoGifts page={page} filters={filters} />}
      />
      {more && <p class="help">The CSV file has the {EXPORTED_GIFTS} gifts that were recorded last, at most.</p>}
      <Pagination
        to={GIFTS}
        query={filters}
        next={next === null ? undefined : { after: next }}
        isLater={isLater}
        rows={rows}
      />
    </>
  );
}

/** Why there are none, and what may be meant: people with similar names, or the same search without the filters. */
function NoGifts({ page: { similar }, filters: { q = '', ...filters } }: Pick<FoundProps, 'page' | 'filters'>): VNode {
  const isFiltered = Object.values(filters).some((value) => value !== '');
  if (q === '' && !isFiltered) {
    return <>There are no gifts yet. Gifts of your processor appear here as soon as they arrive.</>;
  }
  return (
    <NothingFound similar={similar} to={({ first, last }) => GIFTS + queryOf({ ...filters, q: `${first} ${last}` })}>
      No gift matches. Try a part of the name, or only the amount, and look at the filters.
      {q !== '' && isFiltered && (
        <span class="near">
          <Link to={GIFTS + queryOf({ q })}>Search without the filters</Link>
        </span>
      )}
    </NothingFound>
  );
}

const columnsFor = (gifts: readonly FoundGift[], reviews: FoundProps['reviews']): readonly Column<FoundGift>[] => [
  { header: 'Day', cell: ({ day }) => <Day value={day} /> },
  {
    header: 'Giver',
    cell: ({ contributionId, giver }) => <GiverName giver={giver} to={`${GIFTS}/${contributionId}`} />,
  },
  { header: 'Fund', cell: ({ fund }) => fund },
  { header: 'Amount', align: 'right', cell: ({ amount, currency }) => <Amount value={amount} currency={currency} /> },
  ...typeColumn(gifts),
  { header: 'Method', cell: (gift) => methodInWords(gift) ?? '' },
  { header: 'Processor', cell: ({ processor }) => processor },
  {
    header: 'Status',
    cell: (gift) => (
      <span>
        <StatusOfRow gift={gift} />
        <OpenReview reviewId={reviews.get(gift.contributionId)} />
      </span>
    ),
  },
];

/** That the gift waits for a decision, with the way to it. */
function OpenReview({ reviewId }: { readonly reviewId: number | undefined }): VNode | null {
  return reviewId === undefined ? null : (
    <small class="aside">
      <Link to={`/console/reviews/${reviewId}`}>In review</Link>
    </small>
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
