import type { VNode } from 'preact';
import { Amount, type Column, Day, Moment, Table } from '../../../../pages/index.js';
import { MEANING_OF_REASONS } from '../../../reviews/index.js';
import { GiverName } from '../../gift-pages/giver-name.js';
import { methodInWords } from '../../gift-pages/wording.js';
import type { ReviewWithGift } from '../list-open-reviews.service.js';

/** The open reviews, the oldest first. */
export function ReviewTable({ reviews }: { readonly reviews: readonly ReviewWithGift[] }): VNode {
  return (
    <Table
      caption="Open reviews, the oldest first"
      rows={reviews}
      keyOf={({ review }) => review.reviewId}
      empty="Nothing left to review. Gifts about which there is a doubt, such as who gave them, wait here."
      columns={COLUMNS}
    />
  );
}

const COLUMNS: readonly Column<ReviewWithGift>[] = [
  {
    header: 'Giver',
    cell: ({ review, gift }) => <GiverName giver={gift.giver} to={`/console/reviews/${review.reviewId}`} />,
  },
  {
    header: 'Amount',
    align: 'right',
    cell: ({ gift: { amount, currency } }) => <Amount value={amount} currency={currency} />,
  },
  { header: 'Day', cell: ({ gift: { day } }) => <Day value={day} /> },
  {
    header: 'Fund',
    cell: ({ gift }) => (
      <span>
        {gift.fund}
        {gift.method !== null && <small class="aside">{methodInWords(gift)}</small>}
      </span>
    ),
  },
  { header: 'Why', cell: (row) => <Why {...row} /> },
  { header: 'Waits since', cell: ({ review }) => <Moment value={new Date(review.createdAt)} /> },
];

function Why({ review: { reasons, otherGifts }, others }: ReviewWithGift): VNode {
  return (
    <span>
      {reasons.map((reason) => MEANING_OF_REASONS[reason]).join(' ')}
      {others.length > 0 && (
        <small class="aside">
          May also be {others.map(({ peopleId, name }) => `${name}, person ${peopleId}`).join('; ')}
        </small>
      )}
      {otherGifts.length > 0 && <small class="aside">Like gift {otherGifts.join(', ')}</small>}
    </span>
  );
}
