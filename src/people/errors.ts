import { type ErrorKind, ExpectedError, InvalidRequestError } from '../http/index.js';
import type { PersonView } from './person-view.js';

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

export const GIVER_NOT_FOUND: ErrorKind = {
  code: 'giver_not_found',
  status: 404,
  when: 'No person has this id.',
  example: 'There is no person with PeopleId 152.',
};

export const CONTACT_NOT_FOUND: ErrorKind = {
  code: 'contact_not_found',
  status: 404,
  when: 'No contact has this id. A merge of its person gives it another id.',
  example: 'There is no contact 31.',
};

export const PERSON_MERGED: ErrorKind = {
  code: 'person_merged',
  status: 409,
  when: 'The person was merged into another one. `current.mergedInto` is that one.',
  example: 'Person 152 was merged into person 187: edit that one.',
};

export const PERSON_CHANGED: ErrorKind = {
  code: 'person_changed',
  status: 409,
  when: 'Somebody else has changed the person since you read it. `current` is the person as it is now.',
  example: 'Person 152 was changed meanwhile. Nothing was stored.',
};

export const SIMILAR_PERSONS: ErrorKind = {
  code: 'similar_persons',
  status: 409,
  when: 'Others may be the same person: `current.persons`, 10 at most. Nothing was stored. To add the person anyway, send `Confirm`.',
  example: 'The person may exist already: 2 are similar. Nothing was stored. To add this one as well, send Confirm.',
};

/** There is no person with this PeopleId. The gift is refused, because another person must not get it. */
export class PersonNotFoundError extends ExpectedError {
  readonly kind = PERSON_NOT_FOUND;

  constructor(readonly peopleId: number) {
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

/** There is no person with the PeopleId in the path. For one in a body see {@link PersonNotFoundError}. */
export class GiverNotFoundError extends ExpectedError {
  readonly kind = GIVER_NOT_FOUND;

  constructor(peopleId: number) {
    super(`There is no person with PeopleId ${peopleId}.`);
  }
}

/** There is no contact with this id. */
export class ContactNotFoundError extends ExpectedError {
  readonly kind = CONTACT_NOT_FOUND;

  constructor(contactId: number) {
    super(`There is no contact ${contactId}.`);
  }
}

/** A merged person is only a pointer to another one, and does not change. */
export class PersonMergedError extends ExpectedError {
  readonly kind = PERSON_MERGED;
  override readonly current: object;

  /** @param then what follows from it, at the end of the sentence. */
  constructor({ peopleId, mergedInto }: Pick<PersonView, 'peopleId'> & { readonly mergedInto: number }, then: string) {
    super(`Person ${peopleId} was merged into person ${mergedInto}${then}.`);
    this.current = { peopleId, mergedInto };
  }
}

/** The person is not as the caller has seen it. */
export class PersonChangedError extends ExpectedError {
  readonly kind = PERSON_CHANGED;

  override readonly current: PersonView | undefined;

  /** @param current the person as it is now; added before the answer. */
  constructor(
    readonly peopleId: number,
    current?: PersonView,
  ) {
    super(`Person ${peopleId} was changed meanwhile. Nothing was stored.`);
    this.current = current;
  }
}

/** Others may be the same person as the one to be added. */
export class SimilarPersonsError extends ExpectedError {
  readonly kind = SIMILAR_PERSONS;
  override readonly current: { readonly persons: readonly PersonView[] };

  constructor(persons: readonly PersonView[]) {
    const similar = persons.length === 1 ? '1 is similar' : `${persons.length} are similar`;
    super(`The person may exist already: ${similar}. Nothing was stored. To add this one as well, send Confirm.`);
    this.current = { persons };
  }
}

/** A person cannot be merged into itself. */
export class SamePersonError extends InvalidRequestError {
  constructor() {
    const message = 'must be another person: a person cannot be merged into itself';
    super(`Into ${message}.`, [{ field: 'Into', message }]);
  }
}

/** An edit names no field to change. */
export class NothingToChangeError extends InvalidRequestError {
  constructor() {
    super('There is nothing to change: name a field.');
  }
}
