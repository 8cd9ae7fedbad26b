import { types } from 'node:util';
import { Client, type ClientConfig, type QueryResult } from 'pg';
import { CommitInDoubtError, RolledBackError } from './unsuitable-session.js';

/** Where PostgreSQL's source says that a wait for a synchronous standby was cut short; unlike the text, never translated. */
const CUT_WAIT = 'SyncRepWaitForLSN';

type Query = (...args: unknown[]) => unknown;
type Callback = (error: Error | null | undefined, result: QueryResult) => void;

/**
 * A connection as this program uses it, in pools and by itself. Two answers of the server look like success and are not:
 *
 * - Where a synchronous standby has to confirm each commit and does not, PostgreSQL waits. If that wait is cancelled, it
 *   warns and answers the COMMIT, or the single statement, as if it had gone well. The standby may lack it, and be the
 *   primary tomorrow. So whatever ends on a connection after such a warning fails, and the connection is not used again.
 * - After a failed statement PostgreSQL answers COMMIT with ROLLBACK, and no error. So that COMMIT fails.
 */
export class SessionClient extends Client {
  private isInDoubt = false;

  constructor(config: ClientConfig) {
    super(config);
    // A session can end between the moment in which the pool hands it out and that in which TypeORM listens to it;
    // without any listener its error would be the end of the process. Whoever uses it next gets the error all the same.
    this.on('error', () => undefined);
    this.on('notice', ({ routine }) => {
      if (routine === CUT_WAIT) this.isInDoubt = true;
    });
    const query = super.query.bind(this) as Query;
    // Assigned, since no override would match pg's many signatures.
    this.query = ((...args: unknown[]) => this.certain(query, args)) as Client['query'];
  }

  /** Runs pg's own `query`, whichever of its forms is used, and fails where the answer is not what it looks like. */
  private certain(query: Query, args: readonly unknown[]): unknown {
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
