import { type ErrorKind, ExpectedError, InvalidRequestError } from '../../http/index.js';

export const GIVER_NOT_FOUND: ErrorKind = {
  code: 'giver_not_found',
  status: 404,
  when: 'No person has this id.',
  example: 'There is no person 152.',
};

/** There is no person with the PeopleId in the path. For one in a body see PersonNotFoundError of the people module. */
export class GiverNotFoundError extends ExpectedError {
  readonly kind = GIVER_NOT_FOUND;

  constructor(peopleId: number) {
    super(`There is no person ${peopleId}.`);
  }
}

/** A position of a list that is later than the state to which a restore or a failover has set the books back. */
export class UnknownPositionError extends InvalidRequestError {
  /** @param since from this time, a list of changes has all changes after that state (ISO 8601); null if unknown. */
  constructor(since: string | null) {
    const again = since === null ? 'Start again without it' : `Start again without it and with updatedSince=${since}`;
    const message =
      'is a position that these books do not have: a backup was restored, or another server took over, and what came ' +
      `after that state is lost. ${again}`;
    super(`after ${message}.`, [{ field: 'after', message }]);
  }
}
