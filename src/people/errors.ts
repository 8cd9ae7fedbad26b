import { type ErrorKind, ExpectedError } from '../http/index.js';

export const PERSON_NOT_FOUND: ErrorKind = {
  code: 'person_not_found',
  status: 422,
  when: '`PeopleId` is nobody’s. Nothing was stored.',
  example: 'There is no person with PeopleId 152.',
};

export const UNKNOWN_PERSON: ErrorKind = {
  code: 'unknown_person',
  status: 422,
  when: 'Nobody matches the giver, and `IgnoreUnknownPerson` is true. Nothing was stored.',
  example: 'Nobody matches this giver, and IgnoreUnknownPerson is true. Nothing was recorded.',
};

/** A PeopleId that is nobody's. The gift is refused: it must never land on somebody else. */
export class PersonNotFoundError extends ExpectedError {
  readonly kind = PERSON_NOT_FOUND;

  constructor(peopleId: number) {
    super(`There is no person with PeopleId ${peopleId}.`);
  }
}

/** Nobody matches, and the caller asked not to create a person. */
export class UnknownPersonError extends ExpectedError {
  readonly kind = UNKNOWN_PERSON;

  constructor() {
    super('Nobody matches this giver, and IgnoreUnknownPerson is true. Nothing was recorded.');
  }
}

/** A command about persons cannot be done as it was given; the message says why. */
export class PersonCommandError extends Error {}
