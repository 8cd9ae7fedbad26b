import { Body, Controller, HttpCode, Param, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import { type Caller, CurrentCaller, NotForTokens, Roles } from '../../../auth/index.js';
import { Operation, PathIdPipe, requestIdOf } from '../../../http/index.js';
import { answerOf, IdempotencyKey } from '../../../idempotency/index.js';
import { CloseBundlesAnswer, closeBundlesAnswer } from '../../bundles/index.js';
import { DEPOSITS } from '../api-group.js';
import { DepositView } from '../deposit-view.js';
import {
  BANK_CHANGED,
  BUNDLE_NOT_COVERED,
  DEPOSIT_CHANGED,
  DEPOSIT_DIFFERS,
  DEPOSIT_NOT_FOUND,
  DEPOSIT_NOT_RECONCILED,
  DEPOSIT_RECONCILED,
} from '../errors.js';
import { AdjustDeposit } from './adjust-deposit.service.js';
import { CloseDepositBundles } from './close-deposit-bundles.service.js';
import { EnterBank } from './enter-bank.service.js';
import { ReconcileDeposit } from './reconcile-deposit.service.js';
import { AdjustRequest, BankRequest, ReconcileRequest, WithdrawBankRequest } from './settling.requests.js';

const DEPOSIT = { id: 'The id of the deposit.' };

/** The routes by which Finance compares a deposit with the bank, and reconciles it. */
@Controller('Api')
@Roles('Finance')
export class SettlingController {
  constructor(
    private readonly enterBank: EnterBank,
    private readonly adjustDeposit: AdjustDeposit,
    private readonly reconcileDeposit: ReconcileDeposit,
    private readonly closeDepositBundles: CloseDepositBundles,
  ) {}

  @Post('Deposits/:id/bank')
  @HttpCode(200)
  @NotForTokens()
  @Operation({
    group: DEPOSITS,
    id: 'EnterBank',
    summary: 'Enter what the bank says of a deposit',
    description: 'Replaces what was entered before. From then on the deposit is compared with this amount.',
    answer: DepositView,
    failures: [DEPOSIT_NOT_FOUND, DEPOSIT_RECONCILED, BANK_CHANGED],
    parts: DEPOSIT,
  })
  async bank(
    @Param('id', PathIdPipe) id: number,
    @Body() { Date: date, Amount: amount, Reference: reference, Was: bankAmount }: BankRequest,
    @CurrentCaller() { username: by }: Caller,
  ): Promise<DepositView> {
    return this.enterBank.enter({ id, date, amount, reference: reference ?? null, by, seen: { bankAmount } });
  }

  @Post('Deposits/:id/bank/withdraw')
  @HttpCode(200)
  @NotForTokens()
  @Operation({
    group: DEPOSITS,
    id: 'WithdrawBank',
    summary: 'Withdraw what was entered for the bank of a deposit',
    description:
      'For a line of the statement that belongs to another deposit. Day, amount and reference are empty again. If nothing is ' +
      'entered, nothing changes. The body may be missing.',
    answer: DepositView,
    failures: [DEPOSIT_NOT_FOUND, DEPOSIT_RECONCILED, BANK_CHANGED],
    parts: DEPOSIT,
  })
  async withdrawBank(
    @Param('id', PathIdPipe) id: number,
    @Body() { Was: bankAmount }: WithdrawBankRequest,
    @CurrentCaller() { username: by }: Caller,
  ): Promise<DepositView> {
    return this.enterBank.withdraw({ id, by, seen: { bankAmount } });
  }

  @Post('Deposits/:id/adjust')
  @HttpCode(200)
  @NotForTokens()
  @Operation({
    group: DEPOSITS,
    id: 'AdjustDeposit',
    summary: 'Adjust the expected amount of a deposit',
    description:
      'For what no gift and no reversal explains, such as a monthly fee. Send an `Idempotency-Key`: otherwise a repeated call ' +
      'adjusts twice.',
    answer: DepositView,
    failures: [DEPOSIT_NOT_FOUND, DEPOSIT_RECONCILED],
    parts: DEPOSIT,
  })
  async adjust(
    @Param('id', PathIdPipe) id: number,
    @Body() { Amount: amount, Reason: reason }: AdjustRequest,
    @IdempotencyKey() key: string | undefined,
    @CurrentCaller() { userId, username: by }: Caller,
    @Res({ passthrough: true }) response: Response,
  ): Promise<DepositView> {
    return answerOf(await this.adjustDeposit.adjust({ id, amount, reason, by, call: { userId, key } }), response);
  }

  @Post('Deposits/:id/reconcile')
  @HttpCode(200)
  @NotForTokens()
  @Operation({
    group: DEPOSITS,
    id: 'ReconcileDeposit',
    summary: 'Reconcile a deposit permanently',
    description:
      'For a deposit that matches: all its items are in the books, and the expected amount is that of the bank, or without one ' +
      'that of the processor. It never changes again. To reconcile it again has no effect. Send the count and the amount that ' +
      'you have seen. The body may be missing.',
    answer: DepositView,
    failures: [DEPOSIT_NOT_FOUND, DEPOSIT_CHANGED, DEPOSIT_DIFFERS],
    parts: DEPOSIT,
  })
  async reconcile(
    @Param('id', PathIdPipe) id: number,
    @Body() { ItemCount: itemCount, Expected: expected }: ReconcileRequest,
    @CurrentCaller() { username: by }: Caller,
  ): Promise<DepositView> {
    return this.reconcileDeposit.reconcile({ id, itemCount, expected, by });
  }

  @Post('Deposits/:id/close-bundles')
  @HttpCode(200)
  @NotForTokens()
  @Operation({
    group: DEPOSITS,
    id: 'CloseDepositBundles',
    summary: 'Close the bundles of a reconciled deposit permanently',
    description:
      'Closes those bundles of its entries of which everything is in reconciled deposits, and answers with a result for each, as ' +
      `CloseBundles does. Another one stays open, with the code \`${BUNDLE_NOT_COVERED.code}\`: a payout often has only a part ` +
      'of the gifts of a day. Moves and pledges do not count. To repeat the call is safe.',
    answer: CloseBundlesAnswer,
    failures: [DEPOSIT_NOT_FOUND, DEPOSIT_NOT_RECONCILED, BUNDLE_NOT_COVERED],
    parts: DEPOSIT,
  })
  async closeBundles(
    @Param('id', PathIdPipe) id: number,
    @CurrentCaller() { username: by }: Caller,
    @Res({ passthrough: true }) response: Response,
  ): Promise<CloseBundlesAnswer> {
    const { bundleIds, results } = await this.closeDepositBundles.close(id, by);
    return closeBundlesAnswer(bundleIds, results, requestIdOf(response));
  }
}
