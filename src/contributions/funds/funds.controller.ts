import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import {
  type Caller,
  CurrentCaller,
  ForTokens,
  NotForTokens,
  ReadsBooks,
  ReadsGifts,
  Roles,
} from '../../auth/index.js';
import { Operation, PathIdPipe } from '../../http/index.js';
import { FUND_CHANGED, FUND_CLOSED, FUND_NAME_TAKEN, FUND_NOT_FOUND } from './errors.js';
import { FundDetails, FundList, FundView } from './fund-view.js';
import { CreateFundRequest, MakeFundDefaultRequest, RenameFundRequest } from './funds.requests.js';
import { Funds } from './funds.service.js';
import { FINANCE, GIFTS } from '../ledger/index.js';

const FUND = { id: 'The FundId.' };

/** Lists the funds, so that a processor can offer them to its givers; Finance changes them. */
@Controller('Api')
export class FundsController {
  constructor(private readonly funds: Funds) {}

  @Get('Funds')
  @ReadsGifts()
  @ForTokens('read')
  @Operation({ group: GIFTS, id: 'ListFunds', summary: 'List the funds', answer: FundList })
  async list(): Promise<FundList> {
    return { funds: await this.funds.list() };
  }

  @Get('Funds/:id')
  @ReadsBooks()
  @ForTokens('read')
  @Operation({
    group: FINANCE,
    id: 'ReadFund',
    summary: 'Show a fund, with its former names',
    answer: FundDetails,
    failures: [FUND_NOT_FOUND],
    parts: FUND,
  })
  async show(@Param('id', PathIdPipe) fundId: number): Promise<FundDetails> {
    return this.funds.show(fundId);
  }

  @Post('Funds')
  @HttpCode(200)
  @Roles('Finance')
  @NotForTokens()
  @Operation({
    group: FINANCE,
    id: 'CreateFund',
    summary: 'Add a fund',
    answer: FundView,
    failures: [FUND_NAME_TAKEN],
  })
  async create(
    @Body() { Name: name }: CreateFundRequest,
    @CurrentCaller() { username: by }: Caller,
  ): Promise<FundView> {
    return this.funds.create(name, by);
  }

  @Post('Funds/:id/rename')
  @HttpCode(200)
  @Roles('Finance')
  @NotForTokens()
  @Operation({
    group: FINANCE,
    id: 'RenameFund',
    summary: 'Rename a fund',
    description:
      'The fund keeps its id. Gifts that name it by a former name still go to it, and no other fund can get a former name ' +
      'of this one.',
    answer: FundView,
    failures: [FUND_NOT_FOUND, FUND_NAME_TAKEN, FUND_CHANGED],
    parts: FUND,
  })
  async rename(
    @Param('id', PathIdPipe) fundId: number,
    @Body() { Name: name, Was: was }: RenameFundRequest,
    @CurrentCaller() { username: by }: Caller,
  ): Promise<FundView> {
    return this.funds.rename({ fundId, name, was, by });
  }

  @Post('Funds/:id/close')
  @HttpCode(200)
  @Roles('Finance')
  @NotForTokens()
  @Operation({
    group: FINANCE,
    id: 'CloseFund',
    summary: 'Close a fund',
    description: 'Gifts to a closed fund are still recorded, and listed for review.',
    answer: FundView,
    failures: [FUND_NOT_FOUND],
    parts: FUND,
  })
  async close(@Param('id', PathIdPipe) fundId: number, @CurrentCaller() { username: by }: Caller): Promise<FundView> {
    return this.funds.setOpen({ fundId, open: false, by });
  }

  @Post('Funds/:id/open')
  @HttpCode(200)
  @Roles('Finance')
  @NotForTokens()
  @Operation({
    group: FINANCE,
    id: 'OpenFund',
    summary: 'Open a closed fund',
    answer: FundView,
    failures: [FUND_NOT_FOUND],
    parts: FUND,
  })
  async open(@Param('id', PathIdPipe) fundId: number, @CurrentCaller() { username: by }: Caller): Promise<FundView> {
    return this.funds.setOpen({ fundId, open: true, by });
  }

  @Post('Funds/:id/default')
  @HttpCode(200)
  @Roles('Finance')
  @NotForTokens()
  @Operation({
    group: FINANCE,
    id: 'MakeFundDefault',
    summary: 'Make a fund the default',
    description: 'From now on, gifts that name no fund go to it. The body may be missing.',
    answer: FundView,
    failures: [FUND_NOT_FOUND, FUND_CLOSED, FUND_CHANGED],
    parts: FUND,
  })
  async makeDefault(
    @Param('id', PathIdPipe) fundId: number,
    @Body() { Was: was }: MakeFundDefaultRequest,
    @CurrentCaller() { username: by }: Caller,
  ): Promise<FundView> {
    return this.funds.makeDefault(fundId, { was, by });
  }
}
