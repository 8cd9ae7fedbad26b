import { Controller, Get } from '@nestjs/common';
import { AnyRoles } from '../../auth/index.js';
import { Funds, type FundView } from './funds.service.js';

/** What a processor offers its givers to choose from. */
@Controller('Api')
export class FundsController {
  constructor(private readonly funds: Funds) {}

  @Get('Funds')
  @AnyRoles(['Developer', 'APIOnly'], ['Finance'])
  async list(): Promise<{ funds: FundView[] }> {
    return { funds: await this.funds.list() };
  }
}
