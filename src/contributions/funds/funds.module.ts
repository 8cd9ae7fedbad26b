import { Module } from '@nestjs/common';
import { AuthModule } from '../../auth/index.js';
import { HttpModule } from '../../http/index.js';
import { PagesModule } from '../../pages/index.js';
import { ChurchController } from './church/church.controller.js';
import { FundPages } from './funds.pages.js';
import { FundsController } from './funds.controller.js';
import { Funds } from './funds.service.js';

/** The funds that gifts go to. */
@Module({
  imports: [AuthModule, HttpModule, PagesModule],
  controllers: [ChurchController, FundsController, FundPages],
  providers: [Funds],
  exports: [Funds],
})
export class FundsModule {}
