import { expect } from '@jest/globals';
import type supertest from 'supertest';
import { gift, type TestApp } from '../support/test-app.js';

/** The answer of AddContribution. */
export interface Added {
  readonly PeopleId: number;
  readonly ContributionId: number;
  readonly NewPerson: boolean;
  readonly MultipleMatches: boolean;
  readonly Source: string | null;
}

/** The answer of GET /Api/Contributions/{id}. */
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

/** The problem document of a failure. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly instance: string;
  readonly code: string;
  readonly errors?: readonly { readonly field: string; readonly message: string }[];
  readonly current?: object;
  readonly Error: string;
}

/** A value given by its JSON text, for numbers that JavaScript would write differently. */
class Wire {
  constructor(readonly json: string) {}

  /** The text that `%j` shows in the title of a test. */
  toJSON(): string {
    return `the number ${this.json}`;
  }
}

/** A number that the body contains exactly as written: `wire('12.0')`. */
export function wire(json: string): object {
  return new Wire(json);
}

let count = 0;

/** Calls AddContribution for a new giver. `fields` replace the defaults; undefined leaves a field out. */
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

/** Sends a gift that must be accepted. Returns the answer. */
export async function addedGift(app: TestApp, fields: object): Promise<Added> {
  const answer = await sendGift(app, fields).expect(200);
  return answer.body as Added;
}

/** Sends a gift that must be accepted. Returns the recorded contribution. */
export async function recordedGift(app: TestApp, fields: object): Promise<View> {
  return readBack(app, (await addedGift(app, fields)).ContributionId);
}

/** Reads a contribution, by default as the user who added it. */
export async function readBack(app: TestApp, contributionId: number, login = app.login): Promise<View> {
  const answer = await app.read(contributionId, login).expect(200);
  return answer.body as View;
}

/** Opens all connections of the service's pool. Otherwise the first of many simultaneous calls could run alone. */
export async function fillPool(app: TestApp): Promise<void> {
  await Promise.all(Array.from({ length: 20 }, () => app.read(1)));
}

/** The numbers of persons, contributions, bundles and reviews. */
export async function books(app: TestApp): Promise<unknown> {
  return app.database.query(
    `SELECT (SELECT count(*) FROM person) AS persons, (SELECT count(*) FROM contribution) AS contributions,
       (SELECT count(*) FROM bundle) AS bundles, (SELECT count(*) FROM review) AS reviews`,
  );
}

/** The numbers of all rows that a call can add, keys included. They are unchanged if nothing was stored. */
export async function rowCounts(app: TestApp): Promise<unknown> {
  const deposits = await app.database.query(
    `SELECT (SELECT count(*) FROM deposit) AS deposits, (SELECT count(*) FROM deposit_item) AS items,
       (SELECT count(*) FROM deposit_adjustment) AS adjustments`,
  );
  return [await books(app), await app.database.query('SELECT count(*) FROM idempotency_key'), deposits];
}

/** Makes a call that must be refused and store nothing. Returns the problem document. */
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

/** Sends a gift in which exactly the named fields must be reported as invalid. */
export async function invalidGift(app: TestApp, fields: object, ...names: string[]): Promise<Problem> {
  const problem = await refusal(app, () => sendGift(app, fields), 400, 'invalid_request');
  expect(problem.errors?.map(({ field }) => field).sort()).toEqual(names.sort());
  return problem;
}
