import { expect, it } from '@jest/globals';
import { JOB_OPTIONS } from './job-options.js';
import { SERVICE_PACE } from './job-pace.js';

const EXPIRY = JOB_OPTIONS.expireInSeconds * 1_000;

it('a running job is lost only when three renewals have failed, five seconds before it is given away', () => {
  expect(3 * SERVICE_PACE.leaseRenewal).toBeLessThan(EXPIRY - 5_000);
});

it('the job of a process that was killed is tried again within a minute', () => {
  const retry = JOB_OPTIONS.retryDelay * 1_000;
  expect(EXPIRY + SERVICE_PACE.maintenance + retry + SERVICE_PACE.poll).toBeLessThan(60_000);
});

it('a process stops within some five seconds', () => {
  expect(SERVICE_PACE.finishing + 2 * SERVICE_PACE.aborting).toBeLessThanOrEqual(5_000);
});
