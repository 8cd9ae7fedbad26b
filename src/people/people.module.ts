import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Contacts } from './contacts.service.js';
import { FindGiver } from './find-giver.service.js';
import { MergePersons } from './merge-persons.service.js';
import { PersonRecords } from './person-records.service.js';
import { RefoldPersons } from './refold-persons.service.js';
import { Person } from './person.entity.js';

/** Persons, and the rule by which a giver is one of them. */
@Module({
  imports: [TypeOrmModule.forFeature([Person])],
  providers: [Contacts, FindGiver, MergePersons, PersonRecords, RefoldPersons],
  exports: [FindGiver, PersonRecords, RefoldPersons],
})
export class PeopleModule {}
