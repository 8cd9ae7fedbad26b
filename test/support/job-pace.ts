import { type JobPace, SERVICE_PACE } from '../../src/jobs/index.js';

/** For a test that asks what the queue does, not how soon: only to stop it takes as long as that of the service. */
export const QUICK_PACE: JobPace = {
  ...SERVICE_PACE,
  poll: 50,
  delayAfterFault: 150,
  leaseRenewal: 200,
};

/** For a test whose handlers hang when the queue stops: they are not given three seconds to end by themselves. */
export const IMPATIENT_PACE: JobPace = { ...QUICK_PACE, finishing: 300 };
