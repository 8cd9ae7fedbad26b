import { Module } from '@nestjs/common';
import { JobsModule } from '../jobs/index.js';
import { Contacts } from './contacts/contacts.service.js';
import { FindGiver } from './matching/find-giver.service.js';
import { MergePersons } from './merging/merge-persons.service.js';
import { PersonRecords } from './person-records.service.js';
import { RefoldPersons } from './refolding/refold-persons.service.js';
import { RefoldPersonsWorker } from './refolding/refold-persons.worker.js';
import { IndexPersons } from './searching/index-persons.service.js';
import { IndexPersonsWorker } from './searching/index-persons.worker.js';
import { SearchPeople } from './searching/search-people.service.js';

/** Persons, and the rules that match a giver with one of them. */
@Module({
  imports: [JobsModule],
  providers: [
    Contacts,
    FindGiver,
    IndexPersons,
    IndexPersonsWorker,
    MergePersons,
    PersonRecords,
    RefoldPersons,
    RefoldPersonsWorker,
    SearchPeople,
  ],
  exports: [FindGiver, IndexPersons, PersonRecords, RefoldPersons, SearchPeople],
})
export class PeopleModule {}
