import { Body, Controller, Get, HttpCode, Param, Post, Query, UseGuards } from '@nestjs/common';
import { type Caller, CurrentCaller, Roles } from '../../auth/index.js';
import { JsonBodyGuard, Operation, PathIdPipe, QueryPipe } from '../../http/index.js';
import { ListReviewsRequest } from './list-reviews.request.js';
import { ReassignRequest } from './reassigning/reassign.request.js';
import { ReassignedContribution } from './reassigning/reassigned-contribution.js';
import { ReassignContribution } from './reassigning/reassign-contribution.service.js';
import { AcceptedReview, ReviewList } from './review-view.js';
import { Reviews } from './reviews.service.js';
import { CONTRIBUTION_NOT_FOUND, FINANCE } from '../ledger/index.js';
import { NOT_REASSIGNABLE, REVIEW_NOT_FOUND } from './errors.js';
import { PERSON_NOT_FOUND } from '../../people/index.js';

/** What Finance does with gifts that may not be right. */
@Controller('Api')
@Roles('Finance')
export class ReviewsController {
  constructor(
    private readonly reviews: Reviews,
    private readonly reassignContribution: ReassignContribution,
  ) {}

  @Get('Reviews')
  @Operation({ group: FINANCE, id: 'ListReviews', summary: 'List gifts to look at', answer: ReviewList })
  async list(@Query(QueryPipe) { after = 0 }: ListReviewsRequest): Promise<ReviewList> {
    return { reviews: await this.reviews.open(after) };
  }

  @Post('Reviews/:id/accept')
  @HttpCode(200)
  @Operation({
    group: FINANCE,
    id: 'AcceptReview',
    summary: 'The gift is right as it is',
    answer: AcceptedReview,
    failures: [REVIEW_NOT_FOUND],
    parts: { id: 'The reviewId.' },
  })
  async accept(
    @Param('id', PathIdPipe) reviewId: number,
    @CurrentCaller() { username }: Caller,
  ): Promise<AcceptedReview> {
    await this.reviews.accept(reviewId, username);
    return { reviewId, accepted: true };
  }

  @Post('Contributions/:id/reassign')
  @HttpCode(200)
  @UseGuards(JsonBodyGuard)
  @Operation({
    group: FINANCE,
    id: 'ReassignContribution',
    summary: 'Give a gift to the person it belongs to',
    description: 'Its reversing entry goes with it; amount, fund, day and bundle stay.',
    answer: ReassignedContribution,
    failures: [CONTRIBUTION_NOT_FOUND, NOT_REASSIGNABLE, PERSON_NOT_FOUND],
    parts: { id: 'The ContributionId of the gift.' },
  })
  async reassign(
    @Param('id', PathIdPipe) contributionId: number,
    @Body() { PeopleId: peopleId }: ReassignRequest,
    @CurrentCaller() { username: by }: Caller,
  ): Promise<ReassignedContribution> {
    return this.reassignContribution.reassign({ contributionId, peopleId, by });
  }
}
