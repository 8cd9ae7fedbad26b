import { Injectable, OnModuleInit } from '@nestjs/common';
import { JobQueue } from '../../jobs/index.js';
import { RefoldPersons } from './refold-persons.service.js';

const REFOLD_PERSONS = 'refold-persons';
/** A person written by an old replica is found by other spellings of the name after at most this time. */
const EVERY_SECONDS = 60;

/** Folds again, every minute, the persons that a program of another version has written. */
@Injectable()
export class RefoldPersonsWorker implements OnModuleInit {
  constructor(
    private readonly queue: JobQueue,
    private readonly persons: RefoldPersons,
  ) {}

  onModuleInit(): void {
    this.queue.handleEvery(EVERY_SECONDS, REFOLD_PERSONS, (_data, { signal }) => this.persons.refoldOutdated(signal));
  }
}
