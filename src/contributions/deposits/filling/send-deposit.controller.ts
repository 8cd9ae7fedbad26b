import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import { type Caller, CurrentCaller, ForTokens, Roles } from '../../../auth/index.js';
import { LimitBody, Operation } from '../../../http/index.js';
import { answerOf } from '../../../idempotency/index.js';
import { TOTALS_NOT_READY } from '../../ledger/index.js';
import { DEPOSITS } from '../api-group.js';
import { ITEM_FAILURES } from '../errors.js';
import { namedItems } from './deposit-item.request.js';
import { DepositRequest, MAX_ITEMS } from './filling.requests.js';
import { SendDeposit } from './send-deposit.service.js';
import { SentDepositView } from './sent-deposit.js';

/** The route by which processors send their deposits. */
@Controller('Api')
export class SendDepositController {
  constructor(private readonly sendDeposit: SendDeposit) {}

  @Post('Deposits')
  @HttpCode(200)
  @Roles('Developer', 'APIOnly', 'APIWrite')
  @ForTokens('add')
  // Body, list, item: names of fields must not be repeated in any of them.
  @LimitBody({ maxKilobytes: 1024, checkedLevels: 3 })
  @Operation({
    group: DEPOSITS,
    id: 'SendDeposit',
    summary: 'Send a deposit, or further items of it',
    description:
      `Names the payments that you pay out at once, and the reversals that you deduct: up to ${MAX_ITEMS} in a call, more by ` +
      'further calls with the same `DepositId`, `Source`, `Date` and `Amount`. To repeat a call is safe: it adds only those ' +
      'items that the deposit does not have yet. A payment is in one deposit at most. What is not in the books is kept by its ' +
      'TransactionId until the gift arrives. You can name the gifts that your user has added. The ' +
      'answer is about these only, and says nothing of the church’s bank.',
    answer: SentDepositView,
    failures: [...ITEM_FAILURES, TOTALS_NOT_READY],
  })
  async send(
    @Body()
    {
      DepositId: depositId,
      Source: source,
      Date: date,
      Amount: amount,
      Currency: currency,
      Items: items,
    }: DepositRequest,
    @CurrentCaller() { userId, username: by }: Caller,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SentDepositView> {
    const named = namedItems(items ?? []);
    const command = { userId, source, depositId, date, amount: amount ?? null, currency, items: named, by };
    return answerOf(await this.sendDeposit.send(command), response);
  }
}
