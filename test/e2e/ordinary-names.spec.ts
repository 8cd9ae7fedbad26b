import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type supertest from 'supertest';
import type { Added } from '../contract/gift-requests.js';
import { gift, startTestApp, type TestApp } from '../support/test-app.js';

const LAST_NAMES = ['fund_not_found', 'database_unavailable', 'no_answer', 'no_such_code'];

let service: TestApp;

beforeAll(async () => {
  service = await startTestApp();
});
afterAll(() => service.stop());

let count = 0;
const named = (First: string, Last: string): Record<string, unknown> =>
  gift(`ordinary${++count}`, { First, Last, Source: 'live', TransactionId: `ordinary-${count}` });

const post = (path: string, body: object): supertest.Test =>
  service
    .http()
    .post(`/Api/${path}`)
    .auth(...service.login)
    .send(body);

it.each(['Error', 'ReverseError'])(
  'on the live service a giver with the first name %s is ordinary: in a check, a gift, a batch and a reversal',
  async (first) => {
    for (const last of LAST_NAMES) {
      await post('PreviewContribution', named(first, last)).expect(200);
      const added = await post('AddContribution', named(first, last)).expect(200);
      await service.reverse(`${(added.body as Added).ContributionId}/live`).expect(200);
    }
    const batch = await post('AddContributions', { Gifts: LAST_NAMES.map((last) => named(first, last)) }).expect(200);
    const results = (batch.body as { Results: readonly { Status: number }[] }).Results;
    expect(results.map(({ Status }) => Status)).toEqual(LAST_NAMES.map(() => 200));
  },
);
