import { Body, Controller, Get, HttpCode, Param, Post, Query, Res, UseGuards } from '@nestjs/common';
import type { Response } from 'express';
import { AnyRoles, type Caller, CurrentCaller, Roles } from '../auth/index.js';
import { JsonBodyGuard, Operation, QueryPipe } from '../http/index.js';
import { IdempotencyKey, type Outcome, SentRequest } from '../idempotency/index.js';
import { AddContribution } from './add-contribution.service.js';
import { AddContributionRequest } from './dto/add-contribution.request.js';
import { ADD_CONTRIBUTION } from './dto/add-contribution.operation.js';
import { ListContributionsRequest, toFilterAndPage } from './dto/list-contributions.request.js';
import { toCommand } from './dto/to-command.js';
import {
  AddContributionAnswer,
  addContributionAnswer,
  DryRunAnswer,
  dryRunAnswer,
  ReverseContributionAnswer,
  reverseContributionAnswer,
} from './dto/answers.js';
import { PathIdPipe, DryRunPipe, type ReversalPath, ReversalPathPipe } from './dto/path-parameters.js';
import { ContributionPage, LIST_CONTRIBUTIONS } from './reading/contribution-page.js';
import { ContributionView } from './reading/contribution-view.js';
import { ListContributions } from './reading/list-contributions.service.js';
import { ReadContribution } from './reading/read-contribution.service.js';
import { ReverseContribution } from './reverse-contribution.service.js';

/** The push API of the original, and the read-back added to it. Casing lives here and in `dto/` only. */
@Controller('Api')
export class ContributionsController {
  constructor(
    private readonly addContribution: AddContribution,
    private readonly reverseContribution: ReverseContribution,
    private readonly readContribution: ReadContribution,
    private readonly listContributions: ListContributions,
  ) {}

  @Post('AddContribution')
  @HttpCode(200)
  @Roles('Developer', 'APIOnly', 'APIWrite')
  @UseGuards(JsonBodyGuard)
  @Operation(ADD_CONTRIBUTION)
  async add(
    @Body() request: AddContributionRequest,
    @Query(DryRunPipe) dryRun: boolean,
    @IdempotencyKey() key: string | undefined,
    @CurrentCaller() caller: Caller,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AddContributionAnswer | DryRunAnswer> {
    const command = toCommand(request, caller, key);
    if (dryRun) return dryRunAnswer((await this.addContribution.preview(command)).found);
    return addContributionAnswer(answerOf(await this.addContribution.run(command), response));
  }

  @Post('ReverseContribution/:id/:source')
  @HttpCode(200)
  @Roles('Developer', 'APIOnly', 'APIWrite')
  @Operation({
    group: 'Gifts',
    id: 'ReverseContribution',
    summary: 'Take a gift back',
    description: 'A gift is reversed once. Finance gets a mail. Any user with the three roles may reverse any gift.',
    answer: ReverseContributionAnswer,
    failures: ['contribution_not_found', 'already_reversed', 'not_reversible'],
    parts: { id: 'The ContributionId of the gift.' },
  })
  async reverse(
    @Param(ReversalPathPipe) path: ReversalPath,
    @IdempotencyKey() key: string | undefined,
    @CurrentCaller() user: Caller,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ReverseContributionAnswer> {
    const command = { ...path, user, key, sent: new SentRequest(path) };
    return reverseContributionAnswer(answerOf(await this.reverseContribution.run(command), response));
  }

  @Get('Contributions')
  @AnyRoles(['Developer', 'APIOnly'], ['Finance'])
  @Operation(LIST_CONTRIBUTIONS)
  async list(
    @Query(QueryPipe) request: ListContributionsRequest,
    @CurrentCaller() caller: Caller,
  ): Promise<ContributionPage> {
    return this.listContributions.pageFor(caller, ...toFilterAndPage(request));
  }

  @Get('Contributions/:id')
  @AnyRoles(['Developer', 'APIOnly'], ['Finance'])
  @Operation({
    group: 'Gifts',
    id: 'ReadContribution',
    summary: 'Read a contribution back',
    description:
      'A processor reads the gifts that its own user added, and their reversing entries; a user with the role `Finance` all.',
    answer: ContributionView,
    failures: ['contribution_not_found'],
    parts: { id: 'The ContributionId.' },
  })
  async read(
    @Param('id', PathIdPipe) contributionId: number,
    @CurrentCaller() caller: Caller,
  ): Promise<ContributionView> {
    return this.readContribution.byIdFor(caller, contributionId);
  }
}

/** The answer, of which the caller is told where it is an earlier call's. */
function answerOf<T>({ answer, replayed }: Outcome<T>, response: Response): T {
  if (replayed) response.setHeader('Idempotency-Replayed', 'true');
  return answer;
}
