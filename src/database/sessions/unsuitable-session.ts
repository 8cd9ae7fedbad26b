/** A connection was opened, but this program cannot use its session. */
export class UnsuitableSessionError extends Error {}

/** The server does not accept writes: it is a standby, is recovering, or was made read-only. This may be temporary. */
export class DatabaseNotWritableError extends UnsuitableSessionError {}

/** A pooler shares sessions between clients, or a setting did not take effect. An operator must change that. */
export class SessionNotKeptError extends UnsuitableSessionError {}

/** The server answered a commit, but a synchronous standby has not confirmed it, so a failover may lose it. */
export class CommitInDoubtError extends UnsuitableSessionError {
  constructor() {
    super('The wait for a synchronous standby was cancelled: it is unknown whether the commit will last');
  }
}

/** The callback swallowed the error of a statement, so the server answered COMMIT by rolling back (ADR 33). */
export class RolledBackError extends Error {
  constructor() {
    super('The transaction was rolled back, because one of its statements had failed');
  }
}
