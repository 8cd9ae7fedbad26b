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

/** How often a process says of its running jobs that it is still at work: three may fail before a job is lost. */
export const LEASE_RENEWAL_MS = 10_000;

/** After this a handler is told to end, and its job is tried again: something hangs. */
export const LONGEST_RUN_MS = 600_000;

/** How often jobs of killed processes are looked for. With the expiry above: tried again within a minute. */
export const MAINTENANCE_INTERVAL_MS = 10_000;

/** How soon a job that was just committed is seen. */
export const POLL_INTERVAL_MS = 1_000;

/** Rest after a fetch that failed: the database needs no hammering while it comes back. */
export const PAUSE_AFTER_FAULT_MS = 3_000;

/** Jobs of one queue that run at the same time in this process, unless its module says otherwise. */
export const DEFAULT_CONCURRENCY = 5;

/** At shutdown: how long running handlers may go on, and how long they have to end once told so. */
export const FINISHING_MS = 3_000;
export const ABORTING_MS = 1_000;
