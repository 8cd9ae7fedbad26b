import { Module } from '@nestjs/common';
import { AuthModule } from '../../auth/index.js';
import { HttpModule } from '../../http/index.js';
import { FundsController } from './funds.controller.js';
import { Funds } from './funds.service.js';

/** The funds that gifts go to. */
@Module({
  imports: [AuthModule, HttpModule],
  controllers: [FundsController],
  providers: [Funds],
  exports: [Funds],
})
export class FundsModule {}
