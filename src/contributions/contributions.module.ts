import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/index.js';
import { PeopleModule } from '../people/index.js';
import { AddContribution } from './add-contribution.service.js';
import { ContributionsController } from './contributions.controller.js';
import { ReadContribution } from './read-contribution.service.js';
import { ReverseContribution } from './reverse-contribution.service.js';

/** Gifts: recording them, taking them back, reading them, and the events that tell of it. */
@Module({
  imports: [AuthModule, PeopleModule],
  controllers: [ContributionsController],
  providers: [AddContribution, ReadContribution, ReverseContribution],
  exports: [ReadContribution],
})
export class ContributionsModule {}
