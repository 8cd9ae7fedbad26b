import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { type Caller, CurrentCaller, ForTokens, NotForTokens, ReadsBooks, Roles } from '../../auth/index.js';
import { Operation, PathIdPipe, QueryPipe } from '../../http/index.js';
import { AcceptReviewRequest } from './accept-review.request.js';
import { ListReviewsRequest } from './list-reviews.request.js';
import { ReassignRequest } from './reassigning/reassign.request.js';
import { ReassignedContribution } from './reassigning/reassigned-contribution.js';
import { ReassignContribution } from './reassigning/reassign-contribution.service.js';
import { AcceptedReview, ReviewList } from './review-view.js';
import { Reviews } from './reviews.service.js';
import { CONTRIBUTION_NOT_FOUND, FINANCE } from '../ledger/index.js';
import { GIVER_CHANGED, NOT_REASSIGNABLE, REVIEW_CHANGED, REVIEW_NOT_FOUND } from './errors.js';
import { PERSON_NOT_FOUND } from '../../people/index.js';

/** The HTTP routes of reviews, for Finance. Auditors may read. */
@Controller('Api')
@Roles('Finance')
export class ReviewsController {
  constructor(
    private readonly reviews: Reviews,
    private readonly reassignContribution: ReassignContribution,
  ) {}

  @Get('Reviews')
  @ReadsBooks()
  @ForTokens('read')
  @Operation({ group: FINANCE, id: 'ListReviews', summary: 'List the open reviews', answer: ReviewList })
  async list(
    @Query(QueryPipe) { after = 0 }: ListReviewsRequest,
    @CurrentCaller() { username }: Caller,
  ): Promise<ReviewList> {
    return { reviews: await this.reviews.listOpen(after, username) };
  }

  @Post('Reviews/:id/accept')
  @HttpCode(200)
  @NotForTokens()
  @Operation({
    group: FINANCE,
    id: 'AcceptReview',
    summary: 'Close a review: the gift is correct',
    description: 'The body may be missing. Then nothing is compared.',
    answer: AcceptedReview,
    failures: [REVIEW_NOT_FOUND, REVIEW_CHANGED],
    parts: { id: 'The reviewId.' },
  })
  async accept(
    @Param('id', PathIdPipe) reviewId: number,
    @Body() { PeopleId: peopleId, Reasons: reasons }: AcceptReviewRequest,
    @CurrentCaller() { username: by }: Caller,
  ): Promise<AcceptedReview> {
    await this.reviews.accept({ reviewId, seen: { peopleId, reasons }, by });
    return { reviewId, accepted: true };
  }

  @Post('Contributions/:id/reassign')
  @HttpCode(200)
  @NotForTokens()
  @Operation({
    group: FINANCE,
    id: 'ReassignContribution',
    summary: 'Move a gift to the right person',
    description:
      'The whole payment moves: the other parts of a split payment, and what reverses, moves or reinstates them. Amounts, ' +
      'funds, days and bundles do not change.',
    answer: ReassignedContribution,
    failures: [CONTRIBUTION_NOT_FOUND, NOT_REASSIGNABLE, PERSON_NOT_FOUND, GIVER_CHANGED],
    parts: { id: 'The ContributionId of the gift, or of another entry of its payment that is not a reversing entry.' },
  })
  async reassign(
    @Param('id', PathIdPipe) contributionId: number,
    @Body() { PeopleId: peopleId, FromPeopleId: fromPeopleId }: ReassignRequest,
    @CurrentCaller() { username: by }: Caller,
  ): Promise<ReassignedContribution> {
    return this.reassignContribution.reassign({ contributionId, peopleId, fromPeopleId, by });
  }
}
