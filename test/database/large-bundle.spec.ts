import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { runProgram } from '../support/service-process.js';
import { type Login, startTestApp, type TestApp } from '../support/test-app.js';
import { addedGift, readBack } from '../contract/gift-requests.js';

const FINANCE: Login = ['treasurer', 'counts every penny'];
const ROWS = 60_000;

let service: TestApp;
let bundleId: number;

beforeAll(async () => {
  service = await startTestApp();
  await service.createUser(...FINANCE, ['Finance']);
  const { ContributionId } = await addedGift(service, {});
  ({ bundleId } = await readBack(service, ContributionId, FINANCE));
  await service.database.query(
    `INSERT INTO contribution (person_id, amount, currency, given_at, day, fund_id, bundle_id, contribution_type_id,
       giver_first, giver_last, giver_email, giver_phone, created_by)
     SELECT person_id, n, 'USD', given_at, day, fund_id, bundle_id, contribution_type_id, giver_first, giver_last,
       giver_email, giver_phone, created_by FROM contribution, generate_series(1, ${ROWS - 1}) n WHERE id = $1`,
    [ContributionId],
  );
});
afterAll(() => service.stop());

function assertComplete(csv: string): void {
  const lines = csv.trimEnd().split('\r\n').slice(1);
  expect(lines).toHaveLength(ROWS);
  expect(new Set(lines.map((line) => line.split(',')[0])).size).toBe(ROWS);
}

it('a large bundle is exported completely, also to a slow reader', async () => {
  const credentials = Buffer.from(FINANCE.join(':')).toString('base64');
  const answer = await fetch(`${await service.app.getUrl()}/Api/Bundles/${bundleId}/export`, {
    headers: { Authorization: `Basic ${credentials}` },
  });
  expect(answer.status).toBe(200);
  // The server writes the rest of the file only when the reader has room for it.
  await sleep(6_000);
  assertComplete(await answer.text());
});

/** The number of rows of contributions read so far. A session reports its reads when it ends. */
async function rowsRead(): Promise<number> {
  const [row] = await service.database.query<{ read: number }>(
    `SELECT (seq_tup_read + idx_tup_fetch)::integer AS read FROM pg_stat_user_tables WHERE relname = 'contribution'`,
  );
  return row?.read ?? 0;
}

it('the command line exports a large bundle completely without reading all rows for each page', async () => {
  const before = await rowsRead();
  const directory = mkdtempSync(join(tmpdir(), 'offertory-export-'));
  const file = join(directory, 'bundle.csv');
  const args = ['bundle', 'export', String(bundleId), '--output', file];
  expect(await runProgram('cli', args, { DATABASE_URL: service.database.url })).toMatchObject({ code: 0 });
  assertComplete(readFileSync(file, 'utf8'));
  expect((await rowsRead()) - before).toBeLessThan(5 * ROWS);
  rmSync(directory, { recursive: true });
});
