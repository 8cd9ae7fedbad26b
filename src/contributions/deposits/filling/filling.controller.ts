import { Body, Controller, HttpCode, Param, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import { type Caller, CurrentCaller, NotForTokens, Roles } from '../../../auth/index.js';
import { LimitBody, Operation, PathIdPipe } from '../../../http/index.js';
import { answerOf } from '../../../idempotency/index.js';
import { TOTALS_NOT_READY } from '../../ledger/index.js';
import { DEPOSITS } from '../api-group.js';
import { DepositView } from '../deposit-view.js';
import {
  DEPOSIT_ITEM_NOT_FOUND,
  DEPOSIT_NOT_FOUND,
  DEPOSIT_RECONCILED,
  IN_OTHER_DEPOSIT,
  ITEM_FAILURES,
  PAYOUT_NOT_FOUND,
} from '../errors.js';
import { namedItems } from './deposit-item.request.js';
import { DepositPayout } from './deposit-payout.service.js';
import { AddItemsRequest, DepositPayoutRequest, EnterDepositRequest, RemoveItemsRequest } from './filling.requests.js';
import { RemoveItems } from './remove-items.service.js';
import { SendDeposit } from './send-deposit.service.js';

const DEPOSIT = { id: 'The id of the deposit.' };

/** The routes by which Finance makes deposits, and adds and removes items. */
@Controller('Api')
@Roles('Finance')
export class FillingController {
  constructor(
    private readonly sendDeposit: SendDeposit,
    private readonly depositPayout: DepositPayout,
    private readonly removeItems: RemoveItems,
  ) {}

  @Post('Deposits/enter')
  @HttpCode(200)
  @NotForTokens()
  @LimitBody({ maxKilobytes: 1024, checkedLevels: 3 })
  @Operation({
    group: DEPOSITS,
    id: 'EnterDeposit',
    summary: 'Enter a deposit as Finance, or further items of it',
    description:
      'Like SendDeposit, but it can name the gifts of all users: an item may say whose by `User`. `DepositId` is unique for ' +
      'Finance and `Source`. Without `Items`, add them with AddDepositItems.',
    answer: DepositView,
    failures: [...ITEM_FAILURES, TOTALS_NOT_READY],
  })
  async enter(
    @Body()
    {
      DepositId: depositId,
      Source: source,
      Date: date,
      Amount: amount,
      Currency: currency,
      Items: items,
    }: EnterDepositRequest,
    @CurrentCaller() { username: by }: Caller,
    @Res({ passthrough: true }) response: Response,
  ): Promise<DepositView> {
    const named = namedItems(items ?? []);
    const command = { userId: null, source, depositId, date, amount: amount ?? null, currency, items: named, by };
    return answerOf(await this.sendDeposit.enter(command), response);
  }

  @Post('Payouts/deposit')
  @HttpCode(200)
  @NotForTokens()
  @Operation({
    group: DEPOSITS,
    id: 'DepositPayout',
    summary: 'Make the deposit of a payout',
    description:
      'The deposit has all payments with this source and PayoutId that no other deposit has. If a processor has sent a deposit ' +
      'with this name, and all gifts of the payout, it is that one. It also has what was taken back ' +
      'of payments of the source after the day of the payout before (at most 92 days earlier), up to the day of this one, and ' +
      'that no deposit has. All of this is in one currency: of gifts in another one, make a second deposit. Check these reversals: remove those that the processor deducted elsewhere. Called again, it adds ' +
      'what has come since.',
    answer: DepositView,
    failures: [PAYOUT_NOT_FOUND, IN_OTHER_DEPOSIT, DEPOSIT_RECONCILED],
  })
  async makeOfPayout(
    @Body() { Source: source, PayoutId: payoutId, Date: date, Currency: currency }: DepositPayoutRequest,
    @CurrentCaller() { username: by }: Caller,
    @Res({ passthrough: true }) response: Response,
  ): Promise<DepositView> {
    return answerOf(await this.depositPayout.make({ source, payoutId, date, currency, by }), response);
  }

  @Post('Deposits/:id/items')
  @HttpCode(200)
  @NotForTokens()
  @LimitBody({ maxKilobytes: 1024, checkedLevels: 3 })
  @Operation({
    group: DEPOSITS,
    id: 'AddDepositItems',
    summary: 'Add items to a deposit',
    description:
      'Adds those items that the deposit does not have yet, and those that were removed from it. It can name the gifts of all ' +
      'users: an item may say whose by `User`. What is not in the books is found when it arrives.',
    answer: DepositView,
    failures: [DEPOSIT_NOT_FOUND, ...ITEM_FAILURES],
    parts: DEPOSIT,
  })
  async addItems(
    @Param('id', PathIdPipe) id: number,
    @Body() { Items: items }: AddItemsRequest,
    @CurrentCaller() { username: by }: Caller,
    @Res({ passthrough: true }) response: Response,
  ): Promise<DepositView> {
    return answerOf(await this.sendDeposit.addItems(id, namedItems(items), by), response);
  }

  @Post('Deposits/:id/items/remove')
  @HttpCode(200)
  @NotForTokens()
  @Operation({
    group: DEPOSITS,
    id: 'RemoveDepositItems',
    summary: 'Remove items from a deposit',
    description:
      'The items stay as a record, with the reason, and another deposit can have them. The processor’s repeated call does ' +
      'not add them again.',
    answer: DepositView,
    failures: [DEPOSIT_NOT_FOUND, DEPOSIT_ITEM_NOT_FOUND, DEPOSIT_RECONCILED],
    parts: DEPOSIT,
  })
  async remove(
    @Param('id', PathIdPipe) id: number,
    @Body() { ItemIds: itemIds, Reason: reason }: RemoveItemsRequest,
    @CurrentCaller() { username: by }: Caller,
  ): Promise<DepositView> {
    return this.removeItems.remove({ id, itemIds, reason, by });
  }
}
