import { InvalidRequestError } from '../../http/index.js';

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
