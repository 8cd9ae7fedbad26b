import { Body, Controller, Get, HttpCode, Param, Post, Query, UseInterceptors } from '@nestjs/common';
import { type Caller, CurrentCaller, Roles } from '../auth/index.js';
import { JsonBodyInterceptor } from '../http/index.js';
import { AfterPipe, PathIdPipe } from './dto/path-parameters.js';
import { ReassignRequest } from './dto/reassign.request.js';
import { ReassignContribution, type ReassignedContribution } from './reassign-contribution.service.js';
import { Reviews, type ReviewView } from './reviews.service.js';

/** What Finance does with gifts that may not be right. */
@Controller('Api')
@Roles('Finance')
export class ReviewsController {
  constructor(
    private readonly reviews: Reviews,
    private readonly reassignContribution: ReassignContribution,
  ) {}

  @Get('Reviews')
  async list(@Query(AfterPipe) after: number): Promise<{ reviews: ReviewView[] }> {
    return { reviews: await this.reviews.open(after) };
  }

  @Post('Reviews/:id/accept')
  @HttpCode(200)
  async accept(@Param('id', PathIdPipe) reviewId: number, @CurrentCaller() { username }: Caller): Promise<object> {
    await this.reviews.accept(reviewId, username);
    return { reviewId, accepted: true };
  }

  @Post('Contributions/:id/reassign')
  @HttpCode(200)
  @UseInterceptors(JsonBodyInterceptor)
  async reassign(
    @Param('id', PathIdPipe) contributionId: number,
    @Body() { PeopleId: peopleId }: ReassignRequest,
    @CurrentCaller() { username: by }: Caller,
  ): Promise<ReassignedContribution> {
    return this.reassignContribution.run({ contributionId, peopleId, by });
  }
}
