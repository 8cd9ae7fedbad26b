import { Controller, Get } from '@nestjs/common';
import { ForTokens, ReadsGifts } from '../../auth/index.js';
import { Operation } from '../../http/index.js';
import { FundList } from './fund-view.js';
import { Funds } from './funds.service.js';
import { GIFTS } from '../ledger/index.js';

/** Lists the funds, so that a processor can offer them to its givers. */
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
}
