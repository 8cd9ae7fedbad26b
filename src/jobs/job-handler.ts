import type { EntityManager } from 'typeorm';

/** The job a handler is working on. */
export interface RunningJob {
  /** Aborted when the process shuts down, when the job takes too long, and when another process may have it. */
  readonly signal: AbortSignal;

  /**
   * Finishes the job in the handler's own transaction, so that its result and the end of the job are committed together.
   * A job whose handler does not call it is finished when the handler resolves.
   * @returns false when the job is no longer this handler's: another process works on it, or will.
   */
  complete(tx: EntityManager): Promise<boolean>;
}

/** Works on one job, whose `data` were given to `enqueue`. Throws when the job has to be tried again. */
export type JobHandler = (data: object, job: RunningJob) => Promise<void>;
