import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../audit/index.js';
import { Transactions } from '../../../database/index.js';
import { Reviews, type ReviewView } from '../../reviews/index.js';
import { type FoundGiftRow, foundGiftOf, SELECT_FOUND_GIFTS } from '../searching/found-gift-rows.js';
import type { FoundGift } from '../searching/found-gift-view.js';

/** A review in a list, with what tells its gift from others. */
export interface ReviewWithGift {
  readonly review: ReviewView;
  readonly gift: FoundGift | undefined;
}

/** Lists the gifts to check. */
@Injectable()
export class ListOpenReviews {
  constructor(
    private readonly transactions: Transactions,
    private readonly reviews: Reviews,
  ) {}

  /** As {@link Reviews.listOpen}, each with its gift. The reading is recorded. */
  async after(reviewId: number, by: Actor): Promise<ReviewWithGift[]> {
    const reviews = await this.reviews.listOpen(reviewId, by);
    const ids = reviews.map(({ contributionId }) => contributionId);
    const rows = await this.transactions.query<FoundGiftRow>(SELECT_FOUND_GIFTS, [ids]);
    const gifts = new Map(rows.map((row) => [row.id, foundGiftOf(row, [])]));
    return reviews.map((review) => ({ review, gift: gifts.get(review.contributionId) }));
  }
}
