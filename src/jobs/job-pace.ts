/** How fast the queue of the service is, in milliseconds. */
export const SERVICE_PACE = {
  /** How often the table is asked for due jobs. */
  poll: 1_000,
  /** The delay after the table could not be asked. */
  delayAfterFault: 3_000,
  /** How often the lease of a running job is renewed. */
  leaseRenewal: 10_000,
  /** At shutdown: how long running handlers may continue. */
  finishing: 3_000,
  /** At shutdown: how long aborted handlers may take to end. */
  aborting: 1_000,
};

export type JobPace = Readonly<typeof SERVICE_PACE>;

/** Injection token of the {@link JobPace}: a provider, so that tests need not wait as long. */
export const JOB_PACE = Symbol('JobPace');
