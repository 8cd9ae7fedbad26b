import { Module } from '@nestjs/common';
import { AuthModule } from '../../auth/index.js';
import { HttpModule } from '../../http/index.js';
import { PeopleModule } from '../../people/index.js';
import { ReviewsController } from './reviews.controller.js';
import { ReassignContribution } from './reassigning/reassign-contribution.service.js';
import { Reviews } from './reviews.service.js';

/** The gifts that Finance should look at, and what becomes of them. */
@Module({
  imports: [AuthModule, HttpModule, PeopleModule],
  controllers: [ReviewsController],
  providers: [ReassignContribution, Reviews],
  exports: [ReassignContribution],
})
export class ReviewsModule {}
