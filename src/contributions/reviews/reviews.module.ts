import { Module } from '@nestjs/common';
import { AuthModule } from '../../auth/index.js';
import { HttpModule } from '../../http/index.js';
import { PeopleModule } from '../../people/index.js';
import { ReviewsController } from './reviews.controller.js';
import { ReassignContribution } from './reassigning/reassign-contribution.service.js';
import { Reviews } from './reviews.service.js';

/** Reviews of gifts that Finance should check, and reassignment of gifts. */
@Module({
  imports: [AuthModule, HttpModule, PeopleModule],
  controllers: [ReviewsController],
  providers: [ReassignContribution, Reviews],
  exports: [ReassignContribution],
})
export class ReviewsModule {}
