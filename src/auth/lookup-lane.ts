import pLimit from 'p-limit';
import { ServiceBusyError } from '../http/index.js';
import { LimitWatch } from '../metrics/index.js';

/**
 * Time limit in milliseconds for reading the user of a call, including the wait in a {@link LookupLane}. Together with
 * the time limit of transactions (database-time.ts) it limits the duration of a request.
 */
export const LOOKUP_LIMIT_MS = 2_000;

/**
 * How many users may be read at the same time for credentials that this process has not verified recently. The reads
 * share the connections of AuxiliaryQueries with the counts of failures, so no lane may take them all for long.
 */
const MAX_UNVERIFIED_LOOKUPS = 2;

/** Lets callers that this process does not know read the database, a few at a time. */
export class LookupLane {
  private readonly lane = pLimit(MAX_UNVERIFIED_LOOKUPS);

  constructor(private readonly limits: LimitWatch) {}

  /**
   * Runs `read` when it is its turn. @param read gets the milliseconds that are left for it.
   * @throws ServiceBusyError when its turn does not come in time.
   */
  run<T>(read: (limit: number) => Promise<T>): Promise<T> {
    const latest = performance.now() + LOOKUP_LIMIT_MS;
    return this.lane(() => {
      const left = latest - performance.now();
      if (left > 0) return read(left);
      this.limits.refused('login_lookups');
      throw new ServiceBusyError('Too many callers log in at the same time. Please repeat the call.', 1);
    });
  }
}
