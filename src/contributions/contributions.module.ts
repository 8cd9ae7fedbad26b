import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/index.js';
import { HttpModule } from '../http/index.js';
import { IdempotencyModule } from '../idempotency/index.js';
import { PeopleModule } from '../people/index.js';
import { AddContribution } from './add-contribution.service.js';
import { BundleExport } from './bundles/bundle-export.service.js';
import { BundlesController } from './bundles/bundles.controller.js';
import { Bundles } from './bundles/bundles.service.js';
import { ContributionHistory } from './contribution-history.service.js';
import { ContributionsController } from './contributions.controller.js';
import { FundsController } from './funds/funds.controller.js';
import { Funds } from './funds/funds.service.js';
import { Giving } from './giving/giving.service.js';
import { GivingController } from './giving/giving.controller.js';
import { LedgerExaminations } from './ledger-examinations.js';
import { BookRow } from './import/book-row.js';
import { ImportTrail } from './import/import-trail.js';
import { ImportGifts } from './import/import-gifts.service.js';
import { NumberRows } from './import/number-rows.js';
import { ReadRow } from './import/read-row.js';
import { RecordedRows } from './import/recorded-rows.js';
import { RowIdentities } from './import/row-identity.js';
import { RowKeys } from './import/row-keys.js';
import { GiftFigures } from './gift-figures.js';
import { MoveGiftsListener } from './move-gifts.listener.js';
import { ListContributions } from './reading/list-contributions.service.js';
import { ReadContribution } from './reading/read-contribution.service.js';
import { ReassignContribution } from './reassign-contribution.service.js';
import { ReverseContribution } from './reverse-contribution.service.js';
import { ReviewsController } from './reviews.controller.js';
import { Reviews } from './reviews.service.js';

/** Gifts: recording them, taking them back, reading them, and the events that tell of it. */
@Module({
  imports: [AuthModule, HttpModule, IdempotencyModule, PeopleModule],
  controllers: [ContributionsController, FundsController, GivingController, BundlesController, ReviewsController],
  providers: [
    AddContribution,
    BundleExport,
    Bundles,
    ContributionHistory,
    Funds,
    LedgerExaminations,
    BookRow,
    GiftFigures,
    Giving,
    ImportGifts,
    ImportTrail,
    MoveGiftsListener,
    ListContributions,
    NumberRows,
    ReadContribution,
    ReadRow,
    ReassignContribution,
    RecordedRows,
    ReverseContribution,
    Reviews,
    RowIdentities,
    RowKeys,
  ],
  exports: [ReadContribution],
})
export class ContributionsModule {}
