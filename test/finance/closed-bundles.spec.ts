import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Bundles } from '../../src/contributions/bundles/bundles.service.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { addedGift, readBack } from '../contract/gift-requests.js';

let service: TestApp;
/** The gift in a closed bundle, its bundle, and an open bundle. */
let gift: number;
let closed: number;
let open: number;

beforeAll(async () => {
  service = await startTestApp();
  await service.database.query("INSERT INTO fund (name) VALUES ('Building')");
  gift = (await addedGift(service, {})).ContributionId;
  closed = (await readBack(service, gift)).bundleId;
  await service.app.get(Bundles, { strict: false }).close({ bundleId: closed, by: 'test' });
  open = (await readBack(service, (await addedGift(service, {})).ContributionId)).bundleId;
});
afterAll(() => service.stop());

const COPY = `INSERT INTO contribution (person_id, amount, currency, given_at, day, fund_id, bundle_id,
    contribution_type_id, giver_first, giver_last, giver_email, giver_phone, created_by)
  SELECT person_id, amount, currency, given_at, day, fund_id, $1, contribution_type_id, giver_first, giver_last,
    giver_email, giver_phone, created_by FROM contribution WHERE id = $2`;

/** All contributions and bundles, for comparison. */
const rows = (): Promise<unknown[]> =>
  service.database.query(
    'SELECT to_jsonb(c) AS row FROM contribution c UNION ALL SELECT to_jsonb(b) FROM bundle b ORDER BY 1',
  );

describe('the database, for a closed bundle,', () => {
  it.each<[string, string, () => readonly unknown[]]>([
    ['adding a gift', COPY, () => [closed, gift]],
    [
      'moving in the gifts of another bundle',
      'UPDATE contribution SET bundle_id = $1 WHERE bundle_id = $2',
      () => [closed, open],
    ],
    ['moving a gift to another bundle', 'UPDATE contribution SET bundle_id = $1 WHERE id = $2', () => [open, gift]],
    ['deleting a gift', 'DELETE FROM contribution WHERE id = $1', () => [gift]],
    ['changing an amount', 'UPDATE contribution SET amount = 11 WHERE id = $1', () => [gift]],
    ['changing a currency', `UPDATE contribution SET currency = 'EUR' WHERE id = $1`, () => [gift]],
    ['changing a fund', 'UPDATE contribution SET fund_id = 2 WHERE id = $1', () => [gift]],
    ['changing a day', 'UPDATE contribution SET day = day + 1 WHERE id = $1', () => [gift]],
    ['changing a date', `UPDATE contribution SET given_at = now() WHERE id = $1`, () => [gift]],
    ['changing a type', 'UPDATE contribution SET contribution_type_id = 8 WHERE id = $1', () => [gift]],
    [
      'opening it again',
      'UPDATE bundle SET status = 1, closed_at = NULL, closed_by = NULL WHERE id = $1',
      () => [closed],
    ],
    ['changing the time of closing', 'UPDATE bundle SET closed_at = now() WHERE id = $1', () => [closed]],
    ['deleting it', 'DELETE FROM bundle WHERE id = $1', () => [closed]],
    ['truncating all contributions', 'TRUNCATE contribution CASCADE', () => []],
    ['truncating all bundles', 'TRUNCATE bundle CASCADE', () => []],
  ])('refuses %s', async (_what, statement, values) => {
    const before = await rows();
    await expect(service.database.query(statement, values())).rejects.toMatchObject({
      code: '23514',
      constraint: 'bundle_closed_stays',
    });
    expect(await rows()).toEqual(before);
  });

  it('allows another person and a reversal for its gifts', async () => {
    const [person] = await service.database.query<{ id: number }>(
      "INSERT INTO person (first_name, last_name, email, phone) VALUES ('Bo', 'Lee', '', '') RETURNING id",
    );
    await service.database.query('UPDATE contribution SET person_id = $1, amount = amount WHERE id = $2', [
      person?.id,
      gift,
    ]);
    await service.reverse(`${gift}/test`).expect(200);
  });

  it('keeps the returned totals when SQL adds gifts while it is being closed', async () => {
    const { ContributionId } = await addedGift(service, { BundleTypeId: 20 });
    const bundleId = (await readBack(service, ContributionId)).bundleId;
    const bundles = service.app.get(Bundles, { strict: false });
    const copies = Array.from({ length: 20 }, () =>
      service.database.query(COPY, [bundleId, ContributionId]).catch(() => []),
    );
    const { totals } = await bundles.close({ bundleId, by: 'test' });
    await Promise.all(copies);
    expect((await bundles.show(bundleId)).totals).toEqual(totals);
  });
});
