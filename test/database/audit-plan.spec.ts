import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { selectEntries } from '../../src/audit/audit-trail.service.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const READINGS = 40_000;
const CHANGES = 300;

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  // The changes first: somebody who looks for them goes past all readings.
  await database.query(
    `INSERT INTO audit_entry (actor, via, action, subject, details)
     SELECT 'treasurer', 'page', CASE WHEN g <= $1 THEN 'fund.rename' ELSE 'person.read' END, 'person ' || g,
       CASE WHEN g <= $1 THEN '{}' ELSE '{"people": 1, "peopleIds": [1]}' END::jsonb
     FROM generate_series(1, $1::integer + $2::integer) g ORDER BY g`,
    [CHANGES, READINGS],
  );
  await database.query('VACUUM ANALYZE audit_entry');
});
afterAll(() => database.drop());

interface PlanNode {
  readonly 'Actual Rows': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

const looked = (node: PlanNode): number =>
  Math.max(node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0), ...(node.Plans ?? []).map(looked));

it('the list of changes reads no entries of readings', async () => {
  const filter = [null, null, null, null, null, null];
  const [row] = await database.query<{ 'QUERY PLAN': readonly [{ Plan: PlanNode }] }>(
    `EXPLAIN (ANALYZE, FORMAT JSON) ${selectEntries(false)}`,
    filter,
  );
  expect(row && looked(row['QUERY PLAN'][0].Plan)).toBeLessThanOrEqual(CHANGES);
  expect(await database.query(selectEntries(false), filter)).toHaveLength(200);
});
