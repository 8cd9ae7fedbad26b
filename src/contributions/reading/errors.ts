import { type ErrorKind, ExpectedError, InvalidRequestError } from '../../http/index.js';

export const GIVER_NOT_FOUND: ErrorKind = {
  code: 'giver_not_found',
  status: 404,
  when: 'No person has this id.',
  example: 'There is no person 152.',
};

/** A PeopleId in a path that is nobody's; one in a request is the people module's PersonNotFoundError. */
export class GiverNotFoundError extends ExpectedError {
  readonly kind = GIVER_NOT_FOUND;

  constructor(peopleId: number) {
    super(`There is no person ${peopleId}.`);
  }
}

/** A position of a list from after the state that the books were put back to, by a restore or a failover. */
export class UnknownPositionError extends InvalidRequestError {
  /** @param since from when on a list of changes has all that came after that state, ISO 8601; null where that is unknown. */
  constructor(since: string | null) {
    const again = since === null ? 'Start again without it' : `Start again without it and with updatedSince=${since}`;
    const message =
      'is a position that these books do not have: a backup was restored, or another server took over, and what came ' +
      `after that state is lost. ${again}`;
    super(`after ${message}.`, [{ field: 'after', message }]);
  }
}
