import { Controller, HttpCode, Param, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import { type Caller, CurrentCaller, ForTokens, Roles } from '../../auth/index.js';
import { Operation } from '../../http/index.js';
import { answerOf, IdempotencyKey, SentRequest } from '../../idempotency/index.js';
import { type ReversalPath, ReversalPathPipe } from './reversal-path.pipe.js';
import { ReverseContributionAnswer, reverseContributionAnswer } from './reverse-contribution.answer.js';
import { ReverseContribution } from './reverse-contribution.service.js';
import { ALREADY_REVERSED } from '../gifts/index.js';
import { CONTRIBUTION_NOT_FOUND, GIFTS } from '../ledger/index.js';
import { NOT_REVERSIBLE } from './errors.js';

/** Reverses gifts. */
@Controller('Api')
export class ReversalsController {
  constructor(private readonly reverseContribution: ReverseContribution) {}

  @Post('ReverseContribution/:id/:source')
  @HttpCode(200)
  @Roles('Developer', 'APIOnly', 'APIWrite')
  @ForTokens('reverse')
  @Operation({
    group: GIFTS,
    id: 'ReverseContribution',
    summary: 'Reverse a gift',
    description:
      'A gift can be reversed once. Finance gets a mail. Any user with the three roles may reverse any gift.',
    answer: ReverseContributionAnswer,
    failures: [CONTRIBUTION_NOT_FOUND, ALREADY_REVERSED, NOT_REVERSIBLE],
    parts: { id: 'The ContributionId of the gift.' },
  })
  async reverse(
    @Param(ReversalPathPipe) path: ReversalPath,
    @IdempotencyKey() key: string | undefined,
    @CurrentCaller() user: Caller,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ReverseContributionAnswer> {
    const command = { ...path, user, key, sent: new SentRequest(path) };
    return reverseContributionAnswer(answerOf(await this.reverseContribution.reverse(command), response));
  }
}
