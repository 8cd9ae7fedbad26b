import { Module } from '@nestjs/common';
import { AuthModule } from '../../auth/index.js';
import { HttpModule } from '../../http/index.js';
import { PagesModule } from '../../pages/index.js';
import { PeopleModule } from '../../people/index.js';
import { BundlesModule } from '../bundles/index.js';
import { ReviewRemarks } from './review-remarks.js';
import { ReviewsController } from './reviews.controller.js';
import { ReassignContribution } from './reassigning/reassign-contribution.service.js';
import { ReviewTasks } from './review-tasks.js';
import { Reviews } from './reviews.service.js';

/** Reviews of gifts that Finance should check, and reassignment of gifts. */
@Module({
  imports: [AuthModule, HttpModule, PagesModule, PeopleModule, BundlesModule],
  controllers: [ReviewsController],
  providers: [ReassignContribution, ReviewRemarks, Reviews, ReviewTasks],
  exports: [ReassignContribution, Reviews],
})
export class ReviewsModule {}
