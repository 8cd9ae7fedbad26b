import { type ErrorKind, ExpectedError } from '../http/index.js';

export const PERSON_NOT_FOUND: ErrorKind = {
  code: 'person_not_found',
  status: 422,
  when: 'There is no person with this `PeopleId`. Nothing was stored.',
  example: 'There is no person with PeopleId 152.',
};

export const UNKNOWN_PERSON: ErrorKind = {
  code: 'unknown_person',
  status: 422,
  when: 'No person matches the giver, and `IgnoreUnknownPerson` is true. Nothing was stored.',
  example: 'Nobody matches this giver, and IgnoreUnknownPerson is true. Nothing was recorded.',
};

/** There is no person with this PeopleId. The gift is refused, because another person must not get it. */
export class PersonNotFoundError extends ExpectedError {
  readonly kind = PERSON_NOT_FOUND;

  constructor(peopleId: number) {
    super(`There is no person with PeopleId ${peopleId}.`);
  }
}

/** No person matches, and the caller asked not to create one. */
export class UnknownPersonError extends ExpectedError {
  readonly kind = UNKNOWN_PERSON;

  constructor() {
    super('Nobody matches this giver, and IgnoreUnknownPerson is true. Nothing was recorded.');
  }
}

/** A command about persons is refused. The message says why. */
export class PersonCommandError extends Error {}
