import { Controller, Get, Param, Query } from '@nestjs/common';
import { type Caller, CurrentCaller, ForTokens, ReadsGifts } from '../../auth/index.js';
import { Operation, PathIdPipe, QueryPipe } from '../../http/index.js';
import { ContributionView } from './contribution-view.js';
import { ContributionPage, LIST_CONTRIBUTIONS } from './listing/contribution-page.js';
import { ListContributionsRequest, toFilterAndPage } from './listing/list-contributions.request.js';
import { ListContributions } from './listing/list-contributions.service.js';
import { ReadContribution } from './read-contribution.service.js';
import { CONTRIBUTION_NOT_FOUND, GIFTS } from '../ledger/index.js';

/** Reads and lists contributions, for the processor that added them and for Finance and auditors. */
@Controller('Api')
export class ReadingController {
  constructor(
    private readonly readContribution: ReadContribution,
    private readonly listContributions: ListContributions,
  ) {}

  @Get('Contributions')
  @ReadsGifts()
  @ForTokens('read')
  @Operation(LIST_CONTRIBUTIONS)
  async list(
    @Query(QueryPipe) request: ListContributionsRequest,
    @CurrentCaller() caller: Caller,
  ): Promise<ContributionPage> {
    return this.listContributions.pageFor(caller, ...toFilterAndPage(request));
  }

  @Get('Contributions/:id')
  @ReadsGifts()
  @ForTokens('read')
  @Operation({
    group: GIFTS,
    id: 'ReadContribution',
    summary: 'Read a contribution',
    description:
      'A processor sees the gifts that its own user added, and all other entries of their payments. A user with the role `Finance` or `Auditor` sees all.',
    answer: ContributionView,
    failures: [CONTRIBUTION_NOT_FOUND],
    parts: { id: 'The ContributionId.' },
  })
  async read(
    @Param('id', PathIdPipe) contributionId: number,
    @CurrentCaller() caller: Caller,
  ): Promise<ContributionView> {
    return this.readContribution.byIdFor(caller, contributionId);
  }
}
