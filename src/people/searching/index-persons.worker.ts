import { Injectable, OnModuleInit } from '@nestjs/common';
import { inSteps, JobQueue } from '../../jobs/index.js';
import { IndexPersons } from './index-persons.service.js';

const INDEX_PERSONS = 'index-persons';
/** A search indexes what is new itself. The job keeps that short, and indexes all people after an upgrade. */
const EVERY_SECONDS = 30;

/** Indexes new, changed and earlier persons for the search. */
@Injectable()
export class IndexPersonsWorker implements OnModuleInit {
  constructor(
    private readonly queue: JobQueue,
    private readonly persons: IndexPersons,
  ) {}

  onModuleInit(): void {
    this.queue.handleEvery(EVERY_SECONDS, INDEX_PERSONS, (_data, { signal }) =>
      inSteps(signal, async () => {
        if (await this.persons.indexChanged()) return false;
        await this.persons.indexEarlier();
        return true;
      }),
    );
  }
}
