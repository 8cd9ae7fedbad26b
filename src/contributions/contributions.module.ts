import { Module } from '@nestjs/common';
import { BundlesModule } from './bundles/index.js';
import { DepositsModule } from './deposits/index.js';
import { FundsModule } from './funds/index.js';
import { GiftsModule } from './gifts/index.js';
import { ImportsModule } from './imports/index.js';
import { ReadingModule } from './reading/index.js';
import { ReversalsModule } from './reversals/index.js';
import { ReviewsModule } from './reviews/index.js';

/** Gifts and everything about them. This module only combines its parts. */
@Module({
  imports: [
    FundsModule,
    BundlesModule,
    ReviewsModule,
    GiftsModule,
    ReversalsModule,
    DepositsModule,
    ImportsModule,
    ReadingModule,
  ],
  exports: [ReadingModule],
})
export class ContributionsModule {}
