import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/index.js';
import { HttpModule } from '../http/index.js';
import { IdempotencyModule } from '../idempotency/index.js';
import { JobsModule } from '../jobs/index.js';
import { ContactsController } from './contacts/contacts.controller.js';
import { Contacts } from './contacts/contacts.service.js';
import { FindGiver } from './matching/find-giver.service.js';
import { MergePersons } from './merging/merge-persons.service.js';
import { PeopleController } from './people.controller.js';
import { PersonRecords } from './person-records.service.js';
import { CreatePerson } from './records/create-person.service.js';
import { PersonHistory } from './records/person-history.service.js';
import { SimilarPersons } from './records/similar-persons.service.js';
import { RefoldPersons } from './refolding/refold-persons.service.js';
import { RefoldPersonsWorker } from './refolding/refold-persons.worker.js';
import { IndexPersons } from './searching/index-persons.service.js';
import { IndexPersonsWorker } from './searching/index-persons.worker.js';
import { SearchPeople } from './searching/search-people.service.js';

/** Persons, and the rules that match a giver with one of them. */
@Module({
  imports: [AuthModule, HttpModule, IdempotencyModule, JobsModule],
  controllers: [ContactsController, PeopleController],
  providers: [
    Contacts,
    CreatePerson,
    FindGiver,
    IndexPersons,
    IndexPersonsWorker,
    MergePersons,
    PersonHistory,
    PersonRecords,
    RefoldPersons,
    RefoldPersonsWorker,
    SearchPeople,
    SimilarPersons,
  ],
  exports: [
    Contacts,
    CreatePerson,
    FindGiver,
    IndexPersons,
    MergePersons,
    PersonHistory,
    PersonRecords,
    RefoldPersons,
    SearchPeople,
    SimilarPersons,
  ],
})
export class PeopleModule {}
