import { Module } from '@nestjs/common';
import { AuthModule } from '../../auth/index.js';
import { HttpModule } from '../../http/index.js';
import { PeopleModule } from '../../people/index.js';
import { GivingController } from './giving/giving.controller.js';
import { ReadingController } from './reading.controller.js';
import { ContributionHistory } from './contribution-history.service.js';
import { Giving } from './giving/giving.service.js';
import { ListContributions } from './listing/list-contributions.service.js';
import { ReadContribution } from './read-contribution.service.js';
import { PagesModule } from '../../pages/index.js';
import { RecentMonthsPanel } from './home/recent-months.panel.js';
import { RecentMonths } from './home/recent-months.service.js';
import { MergingController } from './merging/merging.controller.js';
import { PreviewMerge } from './merging/preview-merge.service.js';
import { ReadReview } from './reviewing/read-review.service.js';
import { ReviewingController } from './reviewing/reviewing.controller.js';
import { ReviewsModule } from '../reviews/index.js';

/** Reading contributions: single ones, lists, the history, and the totals of a person. */
@Module({
  imports: [AuthModule, HttpModule, PagesModule, PeopleModule, ReviewsModule],
  controllers: [GivingController, MergingController, ReadingController, ReviewingController],
  providers: [
    ContributionHistory,
    Giving,
    ListContributions,
    PreviewMerge,
    ReadContribution,
    ReadReview,
    RecentMonths,
    RecentMonthsPanel,
  ],
  exports: [ReadContribution],
})
export class ReadingModule {}
