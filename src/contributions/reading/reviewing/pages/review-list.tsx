import type { VNode } from 'preact';
import { Amount, Link, Moment, Table } from '../../../../pages/index.js';
import { MEANING_OF_REASONS } from '../../../reviews/index.js';
import type { ReviewWithGift } from '../list-open-reviews.service.js';

/** The gifts to check, the oldest first. */
export function ReviewTable({ reviews }: { readonly reviews: readonly ReviewWithGift[] }): VNode {
  return (
    <Table
      caption="Gifts to check"
      rows={reviews}
      keyOf={({ review }) => review.reviewId}
      empty="Nothing left to review. Gifts about which there is a doubt, such as who gave them, wait here."
      columns={[
        {
          header: 'Why',
          cell: ({ review: { reviewId, reasons } }) => (
            <Link to={`/console/reviews/${reviewId}`}>
              {reasons.map((reason) => MEANING_OF_REASONS[reason]).join(' ')}
            </Link>
          ),
        },
        {
          header: 'Giver',
          cell: ({ gift }) => gift !== undefined && `${gift.giver.first} ${gift.giver.last}`,
        },
        { header: 'Fund', cell: ({ gift }) => gift?.fund },
        {
          header: 'Amount',
          align: 'right',
          cell: ({ gift }) => gift !== undefined && <Amount value={gift.amount} currency={gift.currency} />,
        },
        { header: 'Since', cell: ({ review }) => <Moment value={new Date(review.createdAt)} /> },
      ]}
    />
  );
}
