import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/test-app.js';

let service: TestApp;

beforeAll(async () => {
  service = await startTestApp({ LOGIN_FAILURES_PER_MINUTE: '3' });
});
afterAll(() => service.stop());

it('answers 429 with a truthful Retry-After after so many failures, and lets verified callers through', async () => {
  await service.add().expect(200);
  for (let i = 0; i < 3; i++) await service.add({}, ['api', 'wrong password']).expect(401);

  const refused = await service.add({}, ['api', 'wrong again']).expect(429);
  expect(refused.body).toMatchObject({ code: 'too_many_requests' });
  const seconds = Number(refused.headers['retry-after']);
  expect(seconds).toBeGreaterThan(50);
  expect(seconds).toBeLessThanOrEqual(60);

  // Nobody can lock a processor out.
  await service.add().expect(200);
  // Another name from the same address is another count.
  await service.add({}, ['other', 'wrong password']).expect(401);
});

it('keeps the count in the database, under a digest that names nobody', async () => {
  const rows = await service.database.query<{ key: string; points: number }>('SELECT key, points FROM login_failure');
  expect(rows.length).toBeGreaterThan(0);
  for (const { key } of rows) expect(key).toMatch(/^[A-Za-z0-9_-]{43}$/);
});
