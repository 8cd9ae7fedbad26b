import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { gift, startTestApp, type TestApp } from '../support/test-app.js';

/** More than are checked within the longest wait, and no more than look-ups of users can answer in that time. */
const CALLS = 150;
/** Well above the longest wait, also on a busy machine. */
const DEADLINE_MS = 30_000;

let service: TestApp;

beforeAll(async () => {
  service = await startTestApp({ TRUST_PROXY: '1' });
});
afterAll(() => service.stop());

/** The status of a call with a wrong password from an address of its own; undefined if there was none in time. */
async function guess(number: number, signal: AbortSignal): Promise<number | undefined> {
  const { port } = service.app.getHttpServer().address() as AddressInfo;
  const headers = {
    Authorization: `Basic ${Buffer.from(`api:wrong password ${number}`).toString('base64')}`,
    'Content-Type': 'application/json',
    'X-Forwarded-For': `198.51.${number >> 8}.${number & 255}`,
  };
  const body = JSON.stringify(gift(number));
  const call = fetch(`http://127.0.0.1:${port}/Api/AddContribution`, { method: 'POST', headers, body, signal });
  return call.then(
    ({ status }) => status,
    () => undefined,
  );
}

it('a flood of wrong passwords from many addresses is answered within seconds, most of it without a check', async () => {
  const signal = AbortSignal.timeout(DEADLINE_MS);
  const statuses = await Promise.all(Array.from({ length: CALLS }, (_, i) => guess(i, signal)));
  expect(new Set(statuses)).toEqual(new Set([401, 503]));
  expect(statuses.filter((status) => status === 503).length).toBeGreaterThan(CALLS / 2);
});
