import { Controller, Get, Param, Query } from '@nestjs/common';
import { actorOf, type Caller, CurrentCaller, ForTokens, ReadsBooks } from '../../../auth/index.js';
import { Operation, PathIdPipe, QueryPipe } from '../../../http/index.js';
import { DEPOSITS } from '../api-group.js';
import { DEPOSIT_NOT_FOUND } from '../errors.js';
import { DepositDetails, DepositList } from './deposit-details.js';
import { Deposits } from './deposits.service.js';
import { PayoutList, UndepositedPage } from './payout-view.js';
import {
  ListDepositsRequest,
  ListPayoutsRequest,
  ListUndepositedRequest,
  ReadDepositRequest,
} from './showing.requests.js';
import { Undeposited } from './undeposited.service.js';

/** The routes that show deposits, and what no deposit has. For Finance and auditors. */
@Controller('Api')
@ReadsBooks()
export class DepositsController {
  constructor(
    private readonly deposits: Deposits,
    private readonly undeposited: Undeposited,
  ) {}

  @Get('Deposits')
  @ForTokens('read')
  @Operation({ group: DEPOSITS, id: 'ListDeposits', summary: 'List deposits', answer: DepositList })
  async list(@Query(QueryPipe) filter: ListDepositsRequest): Promise<DepositList> {
    return { deposits: await this.deposits.list(filter) };
  }

  @Get('Deposits/:id')
  @ForTokens('read')
  @Operation({
    group: DEPOSITS,
    id: 'ReadDeposit',
    summary: 'Show a deposit, with its items and the likely causes of a difference',
    answer: DepositDetails,
    failures: [DEPOSIT_NOT_FOUND],
    parts: { id: 'The id of the deposit.' },
  })
  async show(
    @Param('id', PathIdPipe) id: number,
    @Query(QueryPipe) page: ReadDepositRequest,
    @CurrentCaller() caller: Caller,
  ): Promise<DepositDetails> {
    return this.deposits.show(id, page, actorOf(caller));
  }

  @Get('Payouts')
  @ForTokens('read')
  @Operation({
    group: DEPOSITS,
    id: 'ListPayouts',
    summary: 'List payouts with gifts that no deposit has',
    answer: PayoutList,
  })
  async payouts(@Query(QueryPipe) filter: ListPayoutsRequest): Promise<PayoutList> {
    return { payouts: await this.undeposited.payouts(filter) };
  }

  @Get('Undeposited')
  @ForTokens('read')
  @Operation({
    group: DEPOSITS,
    id: 'ListUndeposited',
    summary: 'List payments and reversals of a source that no deposit has',
    answer: UndepositedPage,
  })
  async gifts(
    @Query(QueryPipe) filter: ListUndepositedRequest,
    @CurrentCaller() caller: Caller,
  ): Promise<UndepositedPage> {
    return this.undeposited.page(filter, actorOf(caller));
  }
}
