import { Body, Controller, HttpCode, Param, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import { type Caller, CurrentCaller, NotForTokens, Roles } from '../../../auth/index.js';
import { Operation, PathIdPipe } from '../../../http/index.js';
import { answerOf, IdempotencyKey, SentRequest } from '../../../idempotency/index.js';
import { FUND_NOT_FOUND } from '../../funds/index.js';
import { ALREADY_REVERSED } from '../../gifts/index.js';
import { CONTRIBUTION_NOT_FOUND, FINANCE } from '../../ledger/index.js';
import { MovedContribution, ReinstatedContribution } from './corrections.answers.js';
import { MoveRequest, ReinstateRequest, ReverseAsFinanceRequest } from './corrections.requests.js';
import { GIFT_CHANGED, NOT_MOVABLE, NOT_REINSTATABLE, NOT_REVERSIBLE, REVERSAL_EXCEEDS_GIFT } from '../errors.js';
import { MoveContribution } from './move-contribution.service.js';
import { ReinstateContribution } from './reinstate-contribution.service.js';
import { ReverseContributionAnswer, reverseContributionAnswer } from '../reverse-contribution.answer.js';
import { ReverseContribution } from '../reverse-contribution.service.js';

const GIFT = { id: 'The ContributionId of the gift.' };

/** The HTTP routes by which Finance corrects the books. */
@Controller('Api')
@Roles('Finance')
export class CorrectionsController {
  constructor(
    private readonly reverseContribution: ReverseContribution,
    private readonly reinstateContribution: ReinstateContribution,
    private readonly moveContribution: MoveContribution,
  ) {}

  @Post('Contributions/:id/reverse')
  @HttpCode(200)
  @NotForTokens()
  @Operation({
    group: FINANCE,
    id: 'ReverseAsFinance',
    summary: 'Reverse a gift, wholly or in part',
    description:
      'Like ReverseContribution, but without a source, and with a reason. The entry is in your bundle. Finance gets a mail.',
    answer: ReverseContributionAnswer,
    failures: [CONTRIBUTION_NOT_FOUND, ALREADY_REVERSED, NOT_REVERSIBLE, REVERSAL_EXCEEDS_GIFT, GIFT_CHANGED],
    parts: GIFT,
  })
  async reverse(
    @Param('id', PathIdPipe) contributionId: number,
    @Body() request: ReverseAsFinanceRequest,
    @IdempotencyKey() key: string | undefined,
    @CurrentCaller() user: Caller,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ReverseContributionAnswer> {
    const { Amount: amount, Left: left, FundId: fundId, Reason: reason, Note: notes } = request;
    const sent = new SentRequest({ contributionId, amount, fundId, reason, notes });
    const what = { payment: { contributionId }, source: null, amount, left, fundId, reason, notes };
    const command = { ...what, user, operation: 'ReverseAsFinance', key, sent } as const;
    return reverseContributionAnswer(answerOf(await this.reverseContribution.reverse(command), response));
  }

  @Post('Contributions/:id/reinstate')
  @HttpCode(200)
  @NotForTokens()
  @Operation({
    group: FINANCE,
    id: 'ReinstateContribution',
    summary: 'Undo a reversal, for example after a dispute was won',
    description:
      'Adds a gift of the same payment for each reversing entry of the reversal, on the day of the original gift and in ' +
      'your bundle of today. The new gifts can be reversed again. Each reversal is reinstated once. The body may be missing.',
    answer: ReinstatedContribution,
    failures: [CONTRIBUTION_NOT_FOUND, NOT_REINSTATABLE],
    parts: { id: 'The id of a reversing entry; or that of a gift, for the last reversal that is not reinstated yet.' },
  })
  async reinstate(
    @Param('id', PathIdPipe) contributionId: number,
    @Body() { Note: notes }: ReinstateRequest,
    @IdempotencyKey() key: string | undefined,
    @CurrentCaller() user: Caller,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ReinstatedContribution> {
    const sent = new SentRequest({ contributionId, notes });
    return answerOf(await this.reinstateContribution.reinstate({ contributionId, notes, user, key, sent }), response);
  }

  @Post('Contributions/:id/move')
  @HttpCode(200)
  @NotForTokens()
  @Operation({
    group: FINANCE,
    id: 'MoveContribution',
    summary: 'Move a gift to another fund',
    description:
      'Adds two entries to your bundle of today for each part that is not in the fund: what is left of it with a minus in ' +
      'its fund, and the same amount in the new one. Closed bundles do not change. It is no reversal: the status stays, ' +
      'nobody gets a mail, and a later refund takes the money from the new fund.',
    answer: MovedContribution,
    failures: [CONTRIBUTION_NOT_FOUND, FUND_NOT_FOUND, NOT_MOVABLE, GIFT_CHANGED],
    parts: GIFT,
  })
  async move(
    @Param('id', PathIdPipe) contributionId: number,
    @Body() { FundId: fundId, Left: left, FromFundId: from, Reason: reason }: MoveRequest,
    @IdempotencyKey() key: string | undefined,
    @CurrentCaller() user: Caller,
    @Res({ passthrough: true }) response: Response,
  ): Promise<MovedContribution> {
    const sent = new SentRequest({ contributionId, fundId, reason });
    const seen = { left, fundIds: from === undefined ? undefined : [from] };
    const command = { contributionId, fundId, seen, reason, user, key, sent };
    return answerOf(await this.moveContribution.move(command), response);
  }
}
