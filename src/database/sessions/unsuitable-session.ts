/** A connection was opened, but what it leads to cannot serve this program. */
export class UnsuitableSessionError extends Error {}

/** The server takes no writes now: it is a standby, it is recovering, or it was made read-only. That may pass. */
export class DatabaseNotWritableError extends UnsuitableSessionError {}

/** A pooler keeps no session for each of its clients, or a setting did not take effect. An operator has to change that. */
export class SessionNotKeptError extends UnsuitableSessionError {}

/** A commit that was answered, but that a synchronous standby has not confirmed: it may be lost in a failover, or not. */
export class CommitInDoubtError extends UnsuitableSessionError {
  constructor() {
    super('The wait for a synchronous standby was cancelled: whether the commit lasts is unknown');
  }
}

/** A statement of the transaction had failed and the program went on, so the server answered COMMIT by rolling back. */
export class RolledBackError extends Error {
  constructor() {
    super('The transaction was rolled back, since one of its statements had failed');
  }
}
