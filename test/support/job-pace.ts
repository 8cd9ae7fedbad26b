import { type JobPace, SERVICE_PACE } from '../../src/jobs/index.js';

/** A quick pace, for tests of what the queue does. Only stopping takes as long as in the service. */
export const QUICK_PACE: JobPace = {
  ...SERVICE_PACE,
  poll: 50,
  delayAfterFault: 150,
  leaseRenewal: 200,
};

/** For tests whose handlers hang when the queue stops: it does not give them three seconds to end. */
export const IMPATIENT_PACE: JobPace = { ...QUICK_PACE, finishing: 300 };
