import { Injectable, OnModuleInit } from '@nestjs/common';
import { JobQueue } from '../../jobs/index.js';
import { RefoldPersons } from './refold-persons.service.js';

const REFOLD_PERSONS = 'refold-persons';
/** How long somebody whom an old replica has written may wait to be found by another spelling of the name. */
const EVERY_SECONDS = 60;

/** Folds again, every minute, whom a program of another version has written. */
@Injectable()
export class RefoldPersonsWorker implements OnModuleInit {
  constructor(
    private readonly queue: JobQueue,
    private readonly persons: RefoldPersons,
  ) {}

  onModuleInit(): void {
    this.queue.handleEvery(EVERY_SECONDS, REFOLD_PERSONS, (_data, { signal }) => this.persons.keepUp(signal));
  }
}
