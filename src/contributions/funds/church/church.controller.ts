import { Controller, Get } from '@nestjs/common';
import { ForTokens, ReadsGifts } from '../../../auth/index.js';
import { Church } from '../../../config/index.js';
import { Operation } from '../../../http/index.js';
import { GIFTS } from '../../ledger/index.js';
import { Funds } from '../funds.service.js';
import { ChurchView } from './church-view.js';

/** Tells a processor for whom it collects: in which currency, and for what. */
@Controller('Api')
export class ChurchController {
  constructor(
    private readonly church: Church,
    private readonly funds: Funds,
  ) {}

  @Get('Church')
  @ReadsGifts()
  @ForTokens('read')
  @Operation({
    group: GIFTS,
    id: 'ReadChurch',
    summary: 'Show currency, time zone, country and open funds of the church',
    answer: ChurchView,
  })
  async show(): Promise<ChurchView> {
    const { currency, timeZone, country } = this.church;
    const funds = await this.funds.list();
    return { currency, timeZone, country, funds: funds.filter(({ open }) => open) };
  }
}
