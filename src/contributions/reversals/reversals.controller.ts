import { Controller, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { type Caller, CurrentCaller, ForTokens, Roles } from '../../auth/index.js';
import { Operation, QueryPipe } from '../../http/index.js';
import { answerOf, IdempotencyKey, SentRequest } from '../../idempotency/index.js';
import { ALREADY_REVERSED, TRANSACTION_ID_REUSED } from '../gifts/index.js';
import { CONTRIBUTION_NOT_FOUND, GIFTS } from '../ledger/index.js';
import { NOT_REVERSIBLE, REVERSAL_EXCEEDS_GIFT } from './errors.js';
import {
  type ReversalPath,
  ReversalPathPipe,
  type TransactionPath,
  TransactionPathPipe,
} from './reversal-path.pipe.js';
import { ReversalRequest, sentReversal } from './reversal.request.js';
import { ReverseContributionAnswer, reverseContributionAnswer } from './reverse-contribution.answer.js';
import { ReverseContribution } from './reverse-contribution.service.js';

const IN_THE_QUERY = 'amount goes into the query: ?amount=20.00';

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
    summary: 'Reverse a gift, wholly or in part',
    description:
      'Without a query, all that is left of the gift is taken back, with all parts of a split one. Finance gets a mail. ' +
      'Any user with the three roles may reverse any gift.',
    answer: ReverseContributionAnswer,
    failures: [CONTRIBUTION_NOT_FOUND, ALREADY_REVERSED, NOT_REVERSIBLE, REVERSAL_EXCEEDS_GIFT, TRANSACTION_ID_REUSED],
    parts: { id: 'The ContributionId of the gift.' },
    insteadOfBody: IN_THE_QUERY,
  })
  async reverse(
    @Param(ReversalPathPipe) { contributionId, source }: ReversalPath,
    @Query(QueryPipe) request: ReversalRequest,
    @IdempotencyKey() key: string | undefined,
    @CurrentCaller() user: Caller,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ReverseContributionAnswer> {
    const what = sentReversal(request);
    const sent = new SentRequest({ contributionId, source, ...what });
    const call = { user, operation: 'ReverseContribution', key, sent } as const;
    const command = { payment: { contributionId }, source, ...what, ...call };
    return reverseContributionAnswer(answerOf(await this.reverseContribution.reverse(command), response));
  }

  @Post('Transactions/:source/:transactionId/reverse')
  @HttpCode(200)
  @Roles('Developer', 'APIOnly', 'APIWrite')
  @ForTokens('reverse')
  @Operation({
    group: GIFTS,
    id: 'ReverseTransaction',
    summary: 'Reverse a gift by your own id of it',
    description:
      'Like ReverseContribution, for a gift that your user added with this Source and TransactionId. The source is also ' +
      'that of the reversal.',
    answer: ReverseContributionAnswer,
    failures: [CONTRIBUTION_NOT_FOUND, ALREADY_REVERSED, REVERSAL_EXCEEDS_GIFT, TRANSACTION_ID_REUSED],
    insteadOfBody: IN_THE_QUERY,
  })
  async reverseTransaction(
    @Param(TransactionPathPipe) payment: TransactionPath,
    @Query(QueryPipe) request: ReversalRequest,
    @IdempotencyKey() key: string | undefined,
    @CurrentCaller() user: Caller,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ReverseContributionAnswer> {
    const what = sentReversal(request);
    const sent = new SentRequest({ ...payment, ...what });
    const call = { user, operation: 'ReverseTransaction', key, sent } as const;
    const command = { payment, source: payment.source, ...what, ...call };
    return reverseContributionAnswer(answerOf(await this.reverseContribution.reverse(command), response));
  }
}
