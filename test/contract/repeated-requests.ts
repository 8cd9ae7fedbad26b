import { expect } from '@jest/globals';
import type supertest from 'supertest';
import type { Login, TestApp } from '../support/test-app.js';
import { type Added, books, sendGift } from './gift-requests.js';
import { type Details, giver, letters } from './givers.js';

/** A complete gift of a new giver. Sent twice, it is the same request. */
export function completeGift(fields: object = {}): Details & Record<string, unknown> {
  return { ...giver(), Amount: '10', ...fields };
}

/** A key that no other call returns. */
export function newKey(): string {
  return `key-${letters()}`;
}

/** AddContribution under a key. */
export function addUnder(app: TestApp, key: string, fields: object, login: Login = app.login): supertest.Test {
  return sendGift(app, fields)
    .auth(...login)
    .set('Idempotency-Key', key);
}

/** ReverseContribution under a key. */
export function reverseUnder(app: TestApp, key: string, path: string, login: Login = app.login): supertest.Test {
  return app.reverse(path, login).set('Idempotency-Key', key);
}

/** Awaits a successful answer that is not a replay. */
export async function first(call: supertest.Test): Promise<supertest.Response> {
  const answer = await call;
  expect([answer.status, answer.headers['idempotency-replayed'], answer.text]).toEqual([
    200,
    undefined,
    expect.any(String),
  ]);
  return answer;
}

/** Awaits a recorded gift whose answer is not a replay. */
export async function firstGift(call: supertest.Test): Promise<Added> {
  return (await first(call)).body as Added;
}

/** Makes a call that must get the earlier answer, marked as a replay, and store nothing except possibly a key. */
export async function replay(app: TestApp, call: () => supertest.Test, earlier: supertest.Response): Promise<void> {
  const before = await books(app);
  const answer = await call();
  expect([answer.status, answer.headers['idempotency-replayed'], answer.text]).toEqual([200, 'true', earlier.text]);
  expect(answer.headers['content-type']).toBe(earlier.headers['content-type']);
  expect(answer.headers['x-request-id']).not.toBe(earlier.headers['x-request-id']);
  expect(await books(app)).toEqual(before);
}
