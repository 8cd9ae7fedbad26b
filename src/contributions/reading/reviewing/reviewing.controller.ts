import { Controller, Get, Param } from '@nestjs/common';
import { type Caller, CurrentCaller, ForTokens, ReadsBooks } from '../../../auth/index.js';
import { Operation, PathIdPipe } from '../../../http/index.js';
import { FINANCE } from '../../ledger/index.js';
import { REVIEW_NOT_FOUND } from '../../reviews/index.js';
import { ReadReview } from './read-review.service.js';
import { ReviewDetails } from './review-details.js';

/** Shows reviews to Finance. */
@Controller('Api')
export class ReviewingController {
  constructor(private readonly readReview: ReadReview) {}

  @Get('Reviews/:id')
  @ReadsBooks()
  @ForTokens('read')
  @Operation({
    group: FINANCE,
    id: 'ReadReview',
    summary: 'Show a review, with both persons and both gifts side by side',
    description:
      'To decide: AcceptReview if the gift is right, ReassignContribution to give it to another person, MergePersons if both ' +
      'are the same person, ReverseAsFinance to take back a gift that was sent twice.',
    answer: ReviewDetails,
    failures: [REVIEW_NOT_FOUND],
    parts: { id: 'The reviewId.' },
  })
  async show(
    @Param('id', PathIdPipe) reviewId: number,
    @CurrentCaller() { username: by }: Caller,
  ): Promise<ReviewDetails> {
    return this.readReview.of(reviewId, by);
  }
}
