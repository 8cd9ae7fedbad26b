/** How fast the queue is, in milliseconds. A provider, so that whoever tests what it does need not wait as long. */
export interface JobPace {
  /** How soon a job that was just committed is seen. */
  readonly poll: number;
  /** Rest after a fetch that failed: the database needs no hammering while it comes back. */
  readonly restAfterFault: number;
  /** How often a process says of its running jobs that it is still at work: three may fail before a job is lost. */
  readonly leaseRenewal: number;
  /** How often jobs of killed processes are looked for. With their expiry: tried again within a minute. */
  readonly maintenance: number;
  /** At shutdown: how long running handlers may go on. */
  readonly finishing: number;
  /** And how long they have to end once told so. */
  readonly aborting: number;
}

/** Injection token of the {@link JobPace}. */
export const JOB_PACE = Symbol('JobPace');

/** The pace of the service. */
export const SERVICE_PACE: JobPace = {
  poll: 1_000,
  restAfterFault: 3_000,
  leaseRenewal: 10_000,
  maintenance: 10_000,
  finishing: 3_000,
  aborting: 1_000,
};
