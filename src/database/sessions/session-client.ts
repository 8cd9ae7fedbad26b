import { types } from 'node:util';
import { Client, type ClientConfig } from 'pg';
import { CommitInDoubtError } from './unsuitable-session.js';

/** Where PostgreSQL's source says that a wait for a synchronous standby was cut short; unlike the text, never translated. */
const CUT_WAIT = 'SyncRepWaitForLSN';

type Query = (...args: unknown[]) => unknown;
type Callback = (error: Error | null | undefined, result?: unknown) => void;

/**
 * A connection as this program uses it, in pools and by itself.
 *
 * Where a standby has to confirm each commit and does not, PostgreSQL waits; if that wait is cancelled, it warns and
 * answers the COMMIT, or the single statement, as if it had gone well. The standby may lack it, and be the primary
 * tomorrow. So whatever ends on a connection after such a warning fails, and the connection is not used again.
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

  /** Runs pg's own `query`, whichever of its forms is used, and fails where the outcome is unknown. */
  private certain(query: Query, args: readonly unknown[]): unknown {
    const last = args.at(-1);
    if (typeof last === 'function') {
      const callback = last as Callback;
      return query(...args.slice(0, -1), (error: Error | null | undefined, result: unknown) => {
        if (this.isInDoubt) callback(error ?? new CommitInDoubtError());
        else callback(error, result);
      });
    }
    const result = query(...args);
    if (!types.isPromise(result)) return result;
    return result.then((value: unknown) => {
      if (this.isInDoubt) throw new CommitInDoubtError();
      return value;
    });
  }
}
