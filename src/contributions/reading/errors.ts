import { ExpectedError, InvalidRequestError } from '../../http/index.js';

/** A PeopleId in a path that is nobody's; one in a request is the people module's PersonNotFoundError. */
export class GiverNotFoundError extends ExpectedError {
  readonly code = 'giver_not_found';

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
