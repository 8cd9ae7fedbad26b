import { expect, it } from '@jest/globals';
import { LEASE_SECONDS } from './job-statements.js';
import { SERVICE_PACE } from './job-pace.js';

const LEASE = LEASE_SECONDS * 1_000;

it('a running job is lost only after three failed renewals, five seconds before its lease ends', () => {
  expect(3 * SERVICE_PACE.leaseRenewal).toBeLessThan(LEASE - 5_000);
});

it('the job of a killed process is retried within a minute', () => {
  expect(LEASE + SERVICE_PACE.poll).toBeLessThan(60_000);
});

it('a process stops within five seconds', () => {
  expect(SERVICE_PACE.finishing + 2 * SERVICE_PACE.aborting).toBeLessThanOrEqual(5_000);
});
