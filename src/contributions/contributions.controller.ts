import { Body, Controller, Get, HttpCode, Param, Post, Query, UseInterceptors } from '@nestjs/common';
import { AnyRoles, type Caller, CurrentCaller, Roles } from '../auth/index.js';
import { JsonBodyInterceptor } from '../http/index.js';
import { AddContribution, type AddContributionCommand } from './add-contribution.service.js';
import type { ContributionView } from './contribution-view.js';
import { AddContributionRequest } from './dto/add-contribution.request.js';
import {
  type AddContributionAnswer,
  addContributionAnswer,
  type DryRunAnswer,
  dryRunAnswer,
  type ReverseContributionAnswer,
  reverseContributionAnswer,
} from './dto/answers.js';
import { ContributionIdPipe, DryRunPipe, type ReversalPath, ReversalPathPipe } from './dto/path-parameters.js';
import { ReadContribution } from './read-contribution.service.js';
import { ReverseContribution } from './reverse-contribution.service.js';

/** The push API of the original, and the read-back added to it. Casing lives here and in `dto/` only. */
@Controller('Api')
export class ContributionsController {
  constructor(
    private readonly addContribution: AddContribution,
    private readonly reverseContribution: ReverseContribution,
    private readonly readContribution: ReadContribution,
  ) {}

  @Post('AddContribution')
  @HttpCode(200)
  @Roles('Developer', 'APIOnly', 'APIWrite')
  @UseInterceptors(JsonBodyInterceptor)
  async add(
    @Body() request: AddContributionRequest,
    @Query(DryRunPipe) dryRun: boolean,
    @CurrentCaller() caller: Caller,
  ): Promise<AddContributionAnswer | DryRunAnswer> {
    const command = toCommand(request, caller);
    if (dryRun) return dryRunAnswer(await this.addContribution.preview(command));
    return addContributionAnswer(await this.addContribution.run(command));
  }

  @Post('ReverseContribution/:id/:source')
  @HttpCode(200)
  @Roles('Developer', 'APIOnly', 'APIWrite')
  async reverse(
    @Param(ReversalPathPipe) path: ReversalPath,
    @CurrentCaller() user: Caller,
  ): Promise<ReverseContributionAnswer> {
    return reverseContributionAnswer(await this.reverseContribution.run({ ...path, user }));
  }

  @Get('Contributions/:id')
  @AnyRoles(['Developer', 'APIOnly'], ['Finance'])
  async read(
    @Param('id', ContributionIdPipe) contributionId: number,
    @CurrentCaller() caller: Caller,
  ): Promise<ContributionView> {
    return this.readContribution.byIdFor(caller, contributionId);
  }
}

function toCommand(request: AddContributionRequest, caller: Caller): AddContributionCommand {
  return {
    giver: {
      first: request.First,
      last: request.Last,
      email: request.Email,
      phone: request.Phone,
      address: request.Address ?? null,
      zip: request.Zip ?? null,
    },
    amount: request.Amount,
    date: request.Date,
    notes: request.Notes ?? null,
    source: request.Source ?? null,
    fundId: request.FundId,
    peopleId: request.PeopleId,
    ignoreUnknownPerson: request.IgnoreUnknownPerson ?? false,
    bundleTypeId: request.BundleTypeId,
    contributionTypeId: request.ContributionTypeId,
    userId: caller.userId,
  };
}
