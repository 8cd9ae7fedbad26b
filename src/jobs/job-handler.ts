import type { EntityManager } from 'typeorm';

/** The job a handler is working on. */
export interface RunningJob {
  /** Aborted when the process shuts down, and when the job is given to somebody else, since the database was away. */
  readonly signal: AbortSignal;

  /**
   * Marks the job as done in the handler's own transaction, so that what it wrote and "done" are one. A handler
   * that does not call it has its job marked after it resolves.
   * @returns false when the job had run out of time and waits to be tried again: then it still does.
   */
  complete(tx: EntityManager): Promise<boolean>;
}

/** Works on one job; throws when the job has to be tried again. `data` is what was given to `enqueue`. */
export type JobHandler = (data: object, job: RunningJob) => Promise<void>;
