/** How pg-boss treats every job. Handlers must stand being run twice: a process can die between work and "done". */
export const JOB_OPTIONS = {
  // A handler throws on faults of ours or of the database only, and such a job must never be given up.
  retryLimit: 1_000_000,
  // After a fault: about 1 s, 2 s, 4 s …, up to LONGEST_RETRY_WAIT_SECONDS.
  retryDelay: 1,
  retryBackoff: true,
  // A job that nobody has renewed for so long belonged to a process that was killed, and is tried again.
  expireInSeconds: 40,
  // pg-boss drops a job that nobody fetched for this long; a notice has to outlast a service that stands still.
  retentionDays: 365,
};

/** How pg-boss clears up after jobs that are done. They are no record of anything, and waiting makes many of them. */
export const CLEANING_OPTIONS = {
  archiveCompletedAfterSeconds: 3_600,
  deleteAfterDays: 1,
};

/** pg-boss 10 doubles the wait after every fault, up to 18 hours; nothing of ours should sleep that long. */
export const LONGEST_RETRY_WAIT_SECONDS = 300;

/** After this a handler is told to end, and its job is tried again: something hangs. */
export const LONGEST_RUN_MS = 600_000;

/** Jobs of one queue that run at the same time in this process, unless its module says otherwise. */
export const DEFAULT_CONCURRENCY = 5;
