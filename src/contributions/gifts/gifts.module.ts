import { Module } from '@nestjs/common';
import { AuthModule } from '../../auth/index.js';
import { HttpModule } from '../../http/index.js';
import { IdempotencyModule } from '../../idempotency/index.js';
import { PeopleModule } from '../../people/index.js';
import { AddContributions } from './batches/add-contributions.service.js';
import { BatchesController } from './batches/batches.controller.js';
import { ReadGifts } from './batches/read-gifts.js';
import { GiftsController } from './gifts.controller.js';
import { AddContribution } from './add-contribution.service.js';
import { GiftDoctorChecks } from './gift-doctor-checks.js';
import { GiftMetrics } from './gift-metrics.js';
import { MoveGiftsListener } from './move-gifts.listener.js';
import { WriteGift } from './recording/write-gift.service.js';
import { PreviewGift } from './previews/preview-gift.service.js';
import { FundsModule } from '../funds/index.js';

/** Recording gifts. */
@Module({
  imports: [AuthModule, HttpModule, IdempotencyModule, PeopleModule, FundsModule],
  controllers: [GiftsController, BatchesController],
  providers: [
    AddContribution,
    AddContributions,
    ReadGifts,
    WriteGift,
    PreviewGift,
    GiftDoctorChecks,
    GiftMetrics,
    MoveGiftsListener,
  ],
  exports: [AddContribution, AddContributions, GiftMetrics],
})
export class GiftsModule {}
