import { expect } from '@jest/globals';
import type supertest from 'supertest';
import type { ContributionReversed } from '../../src/contributions/events/index.js';
import type { Login, TestApp } from '../support/test-app.js';
import { addedGift, type Problem } from './gift-requests.js';

/** A row of a payment, as stored. */
export interface Row {
  readonly id: number;
  readonly amount: string;
  readonly reversed: string;
  readonly status: number;
  readonly fund: number;
  readonly type: number;
  readonly reverses: number | null;
  readonly moves: number | null;
  readonly reinstates: number | null;
  readonly reversal: number | null;
  readonly source: string | null;
  readonly notes: string | null;
  readonly reason: string | null;
  readonly refund_id: string | null;
  readonly day: string;
  readonly bundle: number;
  readonly created_by: number;
  readonly added_by: number;
  readonly giver: string | null;
}

/** Adds a fund. @returns its id. */
export async function newFund(app: TestApp, name: string): Promise<number> {
  const [fund] = await app.database.query<{ id: number }>('INSERT INTO fund (name) VALUES ($1) RETURNING id', [name]);
  return fund?.id ?? 0;
}

/** A recorded gift that is split: its parts with their amounts and funds. @returns the ids of the parts. */
export async function splitGift(
  app: TestApp,
  [first, ...others]: readonly (readonly [amount: string, fundId: number])[],
  fields: object = {},
): Promise<number[]> {
  const { ContributionId } = await addedGift(app, { ...fields, Amount: first?.[0], FundId: first?.[1] });
  const values = [ContributionId, others.map(([amount]) => amount), others.map(([, fundId]) => fundId)];
  const [row] = await app.database.query<{ ids: number[] }>(
    `WITH sent AS (SELECT * FROM unnest($2::numeric[], $3::integer[]) AS sent (amount, fund_id)),
     added AS (
       INSERT INTO contribution (payment_id, person_id, amount, currency, given_at, day, fund_id, bundle_id, contribution_type_id,
         source, giver_first, giver_last, giver_email, giver_phone, created_by, transaction_id, request_digest,
         matched_by, matched_on, other_matches, has_key, first_person_id)
       SELECT first.id, person_id, sent.amount, currency, given_at, day, sent.fund_id, bundle_id, contribution_type_id,
         source, giver_first, giver_last, giver_email, giver_phone, created_by, transaction_id, request_digest,
         matched_by, matched_on, other_matches, has_key, first_person_id
       FROM contribution first, sent WHERE first.id = $1
       RETURNING id
     )
     UPDATE payment SET amount = amount + COALESCE((SELECT sum(amount) FROM sent), 0) WHERE id = $1
     RETURNING ARRAY(SELECT id FROM added ORDER BY id) AS ids`,
    values,
  );
  return [ContributionId, ...(row?.ids ?? [])];
}

/** All rows of the payment of a contribution, by id. */
export async function rowsOf(app: TestApp, contributionId: number): Promise<Row[]> {
  return app.database.query<Row>(
    `SELECT c.id, c.amount, c.reversed_amount AS reversed, c.status, c.fund_id AS fund, c.contribution_type_id AS type,
       c.reverses_id AS reverses, c.moves_id AS moves, c.reinstates_id AS reinstates, c.reversal_id AS reversal, c.source,
       c.notes, c.reason, c.refund_id, c.day::text AS day, c.bundle_id AS bundle, c.created_by, c.added_by,
       c.giver_email AS giver
     FROM contribution c WHERE payment_id = (SELECT payment_id FROM contribution WHERE id = $1) ORDER BY id`,
    [contributionId],
  );
}

/** The reversing entries of the payment of a contribution, by id. */
export async function entriesOf(app: TestApp, contributionId: number): Promise<Row[]> {
  return (await rowsOf(app, contributionId)).filter(({ reverses }) => reverses !== null);
}

/** The reversing entries as gift, fund and amount. */
export async function takenFrom(app: TestApp, contributionId: number): Promise<[number, number, string][]> {
  return (await entriesOf(app, contributionId)).map(({ reverses, fund, amount }) => [Number(reverses), fund, amount]);
}

/** The notices about reversals of the payment of a contribution, in order. */
export async function noticesOf(app: TestApp, contributionId: number): Promise<ContributionReversed[]> {
  const rows = await app.database.query<{ content: ContributionReversed }>(
    `SELECT content FROM notice JOIN contribution c ON c.id = reversing_contribution_id
     WHERE c.payment_id = (SELECT payment_id FROM contribution WHERE id = $1) ORDER BY c.id`,
    [contributionId],
  );
  return rows.map(({ content }) => content);
}

/** The sums of a payment's rows by fund, without funds whose sum is zero. */
export async function sumsByFund(app: TestApp, contributionId: number): Promise<Record<string, string>> {
  const rows = await app.database.query<{ fund: number; sum: string }>(
    `SELECT fund_id AS fund, sum(amount) FROM contribution
     WHERE payment_id = (SELECT payment_id FROM contribution WHERE id = $1) GROUP BY 1 HAVING sum(amount) <> 0`,
    [contributionId],
  );
  return Object.fromEntries(rows.map(({ fund, sum }) => [fund, sum]));
}

/** A call of Finance: POST /Api/Contributions/{id}/{action}. */
export function correct(app: TestApp, login: Login, path: string, body?: object): supertest.Test {
  const request = app
    .http()
    .post(`/Api/Contributions/${path}`)
    .auth(...login);
  return body === undefined ? request : request.send(body);
}

/** Counts the answers by status and code. */
export function tally(answers: readonly supertest.Response[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, body } of answers) {
    const name = status === 200 ? '200' : `${status} ${(body as Problem).code}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

/** The problem of a refused call. */
export async function problemOf(call: supertest.Test, status: number, code: string): Promise<Problem> {
  const answer = await call;
  const problem = answer.body as Problem;
  expect([answer.status, problem.code]).toEqual([status, code]);
  return problem;
}
