import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { FindGiver } from './find-giver.service.js';
import { Person } from './person.entity.js';

/** Persons, and the rule by which a giver is one of them. */
@Module({
  imports: [TypeOrmModule.forFeature([Person])],
  providers: [FindGiver],
  exports: [FindGiver],
})
export class PeopleModule {}
