import { Injectable } from '@nestjs/common';
import { goTo, type PageAnswer } from '../../../../pages/index.js';
import { Reviews } from '../../../reviews/index.js';

const REVIEWS = '/console/reviews';

/** The way from a decision to the next review. */
@Injectable()
export class NextReview {
  constructor(private readonly reviews: Reviews) {}

  /** @param message what was decided. It says so if the review waits for another decision as well. */
  async after(reviewId: number, message: string): Promise<PageAnswer> {
    const { next, closedAt } = await this.reviews.show(reviewId);
    if (closedAt === null) return goTo(`${REVIEWS}/${reviewId}`, `${message} Its review is still open, see why.`);
    return next === null
      ? goTo(REVIEWS, message)
      : goTo(`${REVIEWS}/${next}`, `Done with the previous review: ${message}`);
  }
}
