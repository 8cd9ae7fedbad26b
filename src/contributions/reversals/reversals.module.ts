import { Module } from '@nestjs/common';
import { AuthModule } from '../../auth/index.js';
import { HttpModule } from '../../http/index.js';
import { IdempotencyModule } from '../../idempotency/index.js';
import { CorrectionsController } from './corrections/corrections.controller.js';
import { MoveContribution } from './corrections/move-contribution.service.js';
import { ReinstateContribution } from './corrections/reinstate-contribution.service.js';
import { ReversalsController } from './reversals.controller.js';
import { ReverseContribution } from './reverse-contribution.service.js';
import { GiftsModule } from '../gifts/index.js';

/** Reversing gifts, and undoing or correcting it. */
@Module({
  imports: [AuthModule, HttpModule, IdempotencyModule, GiftsModule],
  controllers: [ReversalsController, CorrectionsController],
  providers: [ReverseContribution, ReinstateContribution, MoveContribution],
  exports: [MoveContribution, ReinstateContribution, ReverseContribution],
})
export class ReversalsModule {}
