import { expect } from '@jest/globals';
import type supertest from 'supertest';
import { gift, type TestApp } from '../support/test-app.js';

/** What AddContribution answers. */
export interface Added {
  readonly PeopleId: number;
  readonly ContributionId: number;
  readonly NewPerson: boolean;
  readonly MultipleMatches: boolean;
  readonly Source: string | null;
}

/** What the read-back answers. */
export interface View extends Record<string, unknown> {
  readonly contributionId: number;
  readonly peopleId: number;
  readonly bundleId: number;
  readonly giver: Readonly<Record<string, unknown>>;
  readonly reversal: {
    readonly contributionId: number;
    readonly source: string;
    readonly by: string;
    readonly at: string;
  };
}

/** What a failure answers. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly instance: string;
  readonly code: string;
  readonly errors?: readonly { readonly field: string; readonly message: string }[];
  readonly Error: string;
}

/** A value by its JSON text, for numbers that JavaScript would write in another way. */
class Wire {
  constructor(readonly json: string) {}

  /** How it is called in a test's name. */
  toJSON(): string {
    return `the number ${this.json}`;
  }
}

/** The number that stands in the body exactly like this: `wire('12.0')`. */
export function wire(json: string): object {
  return new Wire(json);
}

let count = 0;

/** AddContribution for a giver nobody else is, overlaid with the fields; undefined leaves a field out. */
export function sendGift(app: TestApp, fields: object): supertest.Test {
  const members = Object.entries(gift(`f${++count}`, fields))
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${JSON.stringify(name)}:${value instanceof Wire ? value.json : JSON.stringify(value)}`);
  const request = app
    .http()
    .post('/Api/AddContribution')
    .auth(...app.login);
  return request.set('Content-Type', 'application/json').send(`{${members.join(',')}}`);
}

/** Sends a gift that must be taken in; the answer. */
export async function addedGift(app: TestApp, fields: object): Promise<Added> {
  const answer = await sendGift(app, fields).expect(200);
  return answer.body as Added;
}

/** Sends a gift that must be taken in; what it reads back as. */
export async function recordedGift(app: TestApp, fields: object): Promise<View> {
  return readBack(app, (await addedGift(app, fields)).ContributionId);
}

/** What a contribution reads back as, for the user that added it or for another one. */
export async function readBack(app: TestApp, contributionId: number, login = app.login): Promise<View> {
  const answer = await app.read(contributionId, login).expect(200);
  return answer.body as View;
}

/** Fills the service's pool: while it still connects, the first of many calls at the same moment would be done alone. */
export async function fillPool(app: TestApp): Promise<void> {
  await Promise.all(Array.from({ length: 20 }, () => app.read(1)));
}

/** How many persons, contributions, bundles and reviews there are. */
export async function books(app: TestApp): Promise<unknown> {
  return app.database.query(
    `SELECT (SELECT count(*) FROM person) AS persons, (SELECT count(*) FROM contribution) AS contributions,
       (SELECT count(*) FROM bundle) AS bundles, (SELECT count(*) FROM review) AS reviews`,
  );
}

/** All rows that a call can add, keys as well: equal before and after where nothing was stored. */
export async function rowCounts(app: TestApp): Promise<unknown> {
  return [await books(app), await app.database.query('SELECT count(*) FROM idempotency_key')];
}

/** Awaits the answer to a call that must be refused without a trace; its problem document. */
export async function refusal(
  app: TestApp,
  call: () => supertest.Test,
  status: number,
  code: string,
): Promise<Problem> {
  const before = await rowCounts(app);
  const answer = await call();
  const problem = answer.body as Problem;
  expect([answer.status, problem.code]).toEqual([status, code]);
  expect(await rowCounts(app)).toEqual(before);
  return problem;
}

/** Sends a gift of which exactly the named fields must be found at fault. */
export async function invalidGift(app: TestApp, fields: object, ...names: string[]): Promise<Problem> {
  const problem = await refusal(app, () => sendGift(app, fields), 400, 'invalid_request');
  expect(problem.errors?.map(({ field }) => field).sort()).toEqual(names.sort());
  return problem;
}
