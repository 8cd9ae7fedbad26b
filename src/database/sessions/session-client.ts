import { types } from 'node:util';
import { Client, type ClientConfig, type QueryResult } from 'pg';
import { CommitInDoubtError, RolledBackError } from './unsuitable-session.js';

/** The routine of PostgreSQL's warning of a cancelled wait for a synchronous standby. The text may be translated. */
const CANCELLED_WAIT = 'SyncRepWaitForLSN';

type Query = (...args: unknown[]) => unknown;
type Callback = (error: Error | null | undefined, result: QueryResult) => void;

/**
 * pg's client, for pools and single connections. It turns two answers that look like success into errors:
 *
 * - If a synchronous standby has to confirm each commit but does not, PostgreSQL waits. If that wait is cancelled, it
 *   sends a warning and answers the COMMIT, or the single statement, as a success. But the standby may lack the commit,
 *   and may become the primary. So every statement that ends after such a warning fails, and the connection is not used
 *   again.
 * - After a failed statement PostgreSQL answers COMMIT with ROLLBACK, and no error. So this COMMIT fails.
 */
export class SessionClient extends Client {
  private isInDoubt = false;

  constructor(config: ClientConfig) {
    super(config);
    // A session can end after the pool returned it and before TypeORM listens to it. Without a listener the error would
    // end the process. The next statement gets the error in any case.
    this.on('error', () => undefined);
    this.on('notice', ({ routine }) => {
      if (routine === CANCELLED_WAIT) this.isInDoubt = true;
    });
    const query = super.query.bind(this) as Query;
    // Assigned, because no override would match pg's many signatures.
    this.query = ((...args: unknown[]) => this.checkedQuery(query, args)) as Client['query'];
  }

  /** Calls pg's `query` in any of its forms, and fails if the success is not real. */
  private checkedQuery(query: Query, args: readonly unknown[]): unknown {
    const isCommit = args[0] === 'COMMIT';
    const last = args.at(-1);
    if (typeof last === 'function') {
      const callback = last as Callback;
      return query(...args.slice(0, -1), (error: Error | null | undefined, result: QueryResult) => {
        callback(error ?? this.faultOf(result, isCommit), result);
      });
    }
    const answer = query(...args);
    if (!types.isPromise(answer)) return answer;
    return (answer as Promise<QueryResult>).then((result) => {
      const fault = this.faultOf(result, isCommit);
      if (fault !== undefined) throw fault;
      return result;
    });
  }

  private faultOf(result: QueryResult, isCommit: boolean): Error | undefined {
    if (this.isInDoubt) return new CommitInDoubtError();
    return isCommit && result.command !== 'COMMIT' ? new RolledBackError() : undefined;
  }
}
