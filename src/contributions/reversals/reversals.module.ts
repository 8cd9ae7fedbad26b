import { Module } from '@nestjs/common';
import { AuthModule } from '../../auth/index.js';
import { HttpModule } from '../../http/index.js';
import { IdempotencyModule } from '../../idempotency/index.js';
import { ReversalsController } from './reversals.controller.js';
import { ReverseContribution } from './reverse-contribution.service.js';
import { GiftsModule } from '../gifts/index.js';

/** Reversing gifts. */
@Module({
  imports: [AuthModule, HttpModule, IdempotencyModule, GiftsModule],
  controllers: [ReversalsController],
  providers: [ReverseContribution],
})
export class ReversalsModule {}
