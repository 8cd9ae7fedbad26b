import { Module } from '@nestjs/common';
import { AuthModule } from '../../auth/index.js';
import { HttpModule } from '../../http/index.js';
import { JobsModule } from '../../jobs/index.js';
import { PeopleModule } from '../../people/index.js';
import { GivingController } from './giving/giving.controller.js';
import { SearchGivers } from './giving/search-givers.service.js';
import { ReadingController } from './reading.controller.js';
import { ContributionHistory } from './contribution-history.service.js';
import { Giving } from './giving/giving.service.js';
import { ListContributions } from './listing/list-contributions.service.js';
import { ReadContribution } from './read-contribution.service.js';
import { PagesModule } from '../../pages/index.js';
import { RecentMonthsPanel } from './home/recent-months.panel.js';
import { AddPersonPages } from './people-pages/editing/add-person.pages.js';
import { EditPersonPages } from './people-pages/editing/edit-person.pages.js';
import { ReplaceContactPages } from './people-pages/editing/replace-contact.pages.js';
import { MergePages } from './people-pages/merge.pages.js';
import { PeopleSearchPages } from './people-pages/people-search.pages.js';
import { PersonPages } from './people-pages/person.pages.js';
import { ReadPerson } from './people-pages/read-person.service.js';
import { BundlesModule } from '../bundles/index.js';
import { BundlePage } from './bundling/bundle.pages.js';
import { MergingController } from './merging/merging.controller.js';
import { PreviewMerge } from './merging/preview-merge.service.js';
import { FundsModule } from '../funds/index.js';
import { ReversalsModule } from '../reversals/index.js';
import { ListOpenReviews } from './reviewing/list-open-reviews.service.js';
import { NextReview } from './reviewing/pages/next-review.js';
import { ReviewPages } from './reviewing/pages/reviews.pages.js';
import { SettleReviewPages } from './reviewing/pages/settle-review.pages.js';
import { ReadReview } from './reviewing/read-review.service.js';
import { ReviewingController } from './reviewing/reviewing.controller.js';
import { IndexGifts } from './searching/index-gifts.service.js';
import { IndexGiftsWorker } from './searching/index-gifts.worker.js';
import { SearchGifts } from './searching/search-gifts.service.js';
import { SearchingController } from './searching/searching.controller.js';
import { ListEntriesOfTotal } from './totals/list-entries-of-total.service.js';
import { SumTotals } from './totals/sum-totals.service.js';
import { SumTotalsWorker } from './totals/sum-totals.worker.js';
import { TotalsController } from './totals/totals.controller.js';
import { TotalsPages } from './totals/totals.pages.js';
import { GivingTotals } from './totals/totals.service.js';
import { ReviewsModule } from '../reviews/index.js';
import { GiveGiftPages } from './gift-pages/correcting/give-gift.pages.js';
import { MoveGiftPages } from './gift-pages/correcting/move-gift.pages.js';
import { ReinstateGiftPages } from './gift-pages/correcting/reinstate-gift.pages.js';
import { ReviewOrigin } from './gift-pages/correcting/review-origin.service.js';
import { TakeBackPages } from './gift-pages/correcting/take-back.pages.js';
import { GiftPages } from './gift-pages/gift.pages.js';
import { GiftSearchPages } from './gift-pages/gift-search.pages.js';
import { ReadGift } from './gift-pages/read-gift.service.js';

/** Reading contributions: single ones, lists, searches, the history, and totals. */
@Module({
  imports: [
    AuthModule,
    BundlesModule,
    FundsModule,
    HttpModule,
    JobsModule,
    PagesModule,
    PeopleModule,
    ReversalsModule,
    ReviewsModule,
  ],
  controllers: [
    GivingController,
    MergingController,
    ReadingController,
    ReviewingController,
    SearchingController,
    BundlePage,
    ReviewPages,
    SettleReviewPages,
    TotalsController,
    // The page of a file is before that of a gift, whose path has an id at the same place.
    GiftSearchPages,
    GiftPages,
    GiveGiftPages,
    TakeBackPages,
    MoveGiftPages,
    ReinstateGiftPages,
    PeopleSearchPages,
    // Its page of a new person is before that of a person, whose path has an id at the same place.
    AddPersonPages,
    PersonPages,
    EditPersonPages,
    ReplaceContactPages,
    MergePages,
    TotalsPages,
  ],
  providers: [
    ContributionHistory,
    Giving,
    GivingTotals,
    IndexGifts,
    IndexGiftsWorker,
    ListContributions,
    ListEntriesOfTotal,
    ListOpenReviews,
    NextReview,
    PreviewMerge,
    ReadContribution,
    ReadGift,
    ReadPerson,
    ReadReview,
    RecentMonthsPanel,
    ReviewOrigin,
    SearchGifts,
    SearchGivers,
    SumTotals,
    SumTotalsWorker,
  ],
  exports: [ReadContribution, SearchGifts, SearchGivers, GivingTotals],
})
export class ReadingModule {}
