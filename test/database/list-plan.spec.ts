import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pageStatement, type VisibleFilter } from '../../src/contributions/reading/listing/contribution-filter.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

/** A node of the plan for a page. */
interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

const GIFTS = 40_000;
const REVERSALS = GIFTS / 100;
const LIMIT = 100;

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  await database.query(`
    INSERT INTO app_user (username, password_hash) VALUES ('small', 'x'), ('large', 'x'), ('new', 'x');
    INSERT INTO person (first_name, last_name, email, phone) SELECT 'a', 'b', 'c', 'd' FROM generate_series(1, 4000);
    INSERT INTO bundle (bundle_type_id, user_id, day)
      SELECT 4, 1 + (g = 400)::integer, date '2025-01-01' + g FROM generate_series(1, 400) g`);
  // A hundred gifts a day, few from the first processor and none from the third.
  await database.query(
    `INSERT INTO contribution (person_id, amount, currency, given_at, day, fund_id, bundle_id, contribution_type_id, source,
       giver_first, giver_last, giver_email, giver_phone, created_by)
     SELECT 1 + g % 4000, 10, 'USD', now(), date '2025-01-01' + g / 100, 1, 1 + g / 100, 1, 'web', 'a', 'b', 'c', 'd',
       CASE WHEN g % 1000 = 0 THEN u.small ELSE u.large END
     FROM generate_series(0, $1::integer - 1) g, (SELECT
       max(id) FILTER (WHERE username = 'small') AS small, max(id) FILTER (WHERE username = 'large') AS large FROM app_user) u`,
    [GIFTS],
  );
  // Every hundredth payment has a further part; payouts have fifty payments; every thousandth is charged back.
  await database.query(`
    WITH further AS (
      INSERT INTO contribution (payment_id, person_id, amount, currency, given_at, day, fund_id, bundle_id,
        contribution_type_id, source, giver_first, giver_last, giver_email, giver_phone, created_by)
      SELECT id, person_id, 5, currency, given_at, day, fund_id, bundle_id, contribution_type_id, source, 'a', 'b', 'c', 'd',
        created_by
      FROM contribution WHERE id % 100 = 0 RETURNING payment_id
    )
    UPDATE payment SET payout_id = 'po_' || id / 50, check_number = id::text, method = 'check',
      amount = amount + CASE WHEN id IN (SELECT payment_id FROM further) THEN 5 ELSE 0 END`);
  await database.query(`
    INSERT INTO contribution (reverses_id, amount, person_id, currency, given_at, day, fund_id, bundle_id,
      contribution_type_id, source, created_by, reason)
    SELECT id, -amount, person_id, currency, given_at, day, fund_id, bundle_id, 7, source, created_by,
      CASE WHEN id % 1000 = 1 THEN 'chargeback' ELSE 'refund' END
    FROM contribution WHERE id % 100 = 1 AND payment_id = id AND id <= 40000`);
  await database.query('VACUUM ANALYZE contribution');
  await database.query('VACUUM ANALYZE payment');
});
afterAll(() => database.drop());

/** The number of rows of contributions that the statement reads for a page. */
async function rowsLookedAt(filter: Partial<VisibleFilter>, order: 'id' | 'change', after?: number): Promise<number> {
  const stretch = { order, after, upTo: GIFTS * 2, limit: LIMIT + 1 };
  const [statement, values] = pageStatement({ addedBy: undefined, ...filter }, stretch, new Date());
  const [row] = await database.query<{ 'QUERY PLAN': readonly [{ Plan: PlanNode }] }>(
    `EXPLAIN (ANALYZE, FORMAT JSON) ${statement}`,
    values,
  );
  if (row === undefined) throw new Error('EXPLAIN returned no row');
  return looked(row['QUERY PLAN'][0].Plan);
}

function looked(node: PlanNode): number {
  const own =
    node['Relation Name'] === 'contribution'
      ? (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
      : 0;
  return own + (node.Plans ?? []).map(looked).reduce((sum, rows) => sum + rows, 0);
}

async function userId(name: string): Promise<number> {
  const [user] = await database.query<{ id: number }>('SELECT id FROM app_user WHERE username = $1', [name]);
  return user?.id ?? 0;
}

/** The rows of the page, each with two other entries of its payment. */
const A_PAGE = 3 * (LIMIT + 1);

describe('a page reads about as many rows as it shows:', () => {
  it.each([
    ['the first page', {}, 'id', undefined],
    ['a page in the middle', {}, 'id', GIFTS / 2],
    ['the last page of changes', {}, 'change', GIFTS - 10],
    ['the last day', { from: '2026-02-03', to: '2026-02-03' }, 'id', undefined],
    ['the gifts of a person', { peopleId: 17 }, 'id', undefined],
    ['a bundle', { bundleId: 399 }, 'id', undefined],
    ['a payout', { payoutId: 'po_700' }, 'id', undefined],
    ['the changes of a payout', { payoutId: 'po_700' }, 'change', undefined],
    ['a check', { checkNumber: '30000' }, 'id', undefined],
    ['a method that all payments have', { method: 'check' }, 'id', undefined],
  ] as const)('%s', async (_what, filter, order, after) => {
    expect(await rowsLookedAt(filter, order, after)).toBeLessThanOrEqual(A_PAGE);
  });

  it.each([
    ['small', 'id'],
    ['small', 'change'],
    ['new', 'id'],
    ['new', 'change'],
    ['large', 'id'],
    ['large', 'change'],
  ] as const)('the gifts of the %s processor, by %s', async (name, order) => {
    expect(await rowsLookedAt({ addedBy: await userId(name) }, order)).toBeLessThanOrEqual(A_PAGE);
  });

  it.each([
    [{ reason: 'chargeback' }, 'id'],
    [{ reason: 'chargeback' }, 'change'],
    [{ reason: 'error' }, 'id'],
    [{ reason: 'chargeback', payoutId: 'po_20' }, 'id'],
  ] as const)('%j, by %s, besides all reversing entries', async (filter, order) => {
    expect(await rowsLookedAt(filter, order)).toBeLessThanOrEqual(A_PAGE + REVERSALS);
  });

  it('the changes since a time', async () => {
    const [row] = await database.query<{ at: Date }>('SELECT max(updated_at) AS at FROM contribution');
    expect(await rowsLookedAt({ updatedSince: row?.at }, 'change')).toBeLessThanOrEqual(A_PAGE);
  });
});
