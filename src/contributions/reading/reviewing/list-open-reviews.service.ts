import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../audit/index.js';
import { Transactions } from '../../../database/index.js';
import { PersonRecords } from '../../../people/index.js';
import { Reviews, type ReviewView } from '../../reviews/index.js';
import { type FoundGiftRow, foundGiftOf, SELECT_FOUND_GIFTS } from '../searching/found-gift-rows.js';
import type { FoundGift } from '../searching/found-gift-view.js';

/** A review in a list, with what tells its gift from others. */
export interface ReviewWithGift {
  readonly review: ReviewView;
  readonly gift: FoundGift;
  /** The persons of `otherPersons`, with their names. */
  readonly others: readonly { readonly peopleId: number; readonly name: string }[];
}

/** Lists the open reviews. */
@Injectable()
export class ListOpenReviews {
  constructor(
    private readonly transactions: Transactions,
    private readonly reviews: Reviews,
    private readonly persons: PersonRecords,
  ) {}

  /** As {@link Reviews.listOpen}, each with its gift. The reading is recorded. */
  async after(reviewId: number, by: Actor): Promise<ReviewWithGift[]> {
    const reviews = await this.reviews.listOpen(reviewId, by);
    const ids = reviews.map(({ contributionId }) => contributionId);
    const rows = await this.transactions.query<FoundGiftRow>(SELECT_FOUND_GIFTS, [ids]);
    const gifts = new Map(rows.map((row) => [row.id, foundGiftOf(row, [])]));
    const names = await this.persons.namesOf(reviews.flatMap(({ otherPersons }) => otherPersons));
    return reviews.flatMap((review) => {
      const gift = gifts.get(review.contributionId);
      const others = review.otherPersons.map((peopleId) => ({ peopleId, name: names.get(peopleId) ?? '' }));
      return gift === undefined ? [] : [{ review, gift, others }];
    });
  }
}
