import { ExpectedError } from '../http/index.js';

/** A PeopleId that is nobody's. The gift is refused: it must never land on somebody else. */
export class PersonNotFoundError extends ExpectedError {
  readonly code = 'person_not_found';

  constructor(peopleId: number) {
    super(`There is no person with PeopleId ${peopleId}.`);
  }
}

/** Nobody matches, and the caller asked not to create a person. */
export class UnknownPersonError extends ExpectedError {
  readonly code = 'unknown_person';

  constructor() {
    super('Nobody matches this giver, and IgnoreUnknownPerson is true. Nothing was recorded.');
  }
}

/** A command about persons cannot be done as it was given; the message says why. */
export class PersonCommandError extends Error {}
