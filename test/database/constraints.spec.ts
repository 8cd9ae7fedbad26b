import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { addedGift, type Added, readBack, rowCounts } from '../contract/gift-requests.js';

const CHECK = '23514';
const UNIQUE = '23505';
const FOREIGN_KEY = '23503';
const NOT_NULL = '23502';

let service: TestApp;
/** The answer for a gift that is not reversed. */
let gift: Added;
/** The ids of a reversed gift and of its reversing entry. */
let reversed: number;
let entry: number;

beforeAll(async () => {
  service = await startTestApp();
  gift = await addedGift(service, {});
  reversed = (await addedGift(service, { Amount: '25' })).ContributionId;
  await service.reverse(`${reversed}/a`).expect(200);
  entry = (await readBack(service, reversed)).reversal.contributionId;
});
afterAll(() => service.stop());

/** Columns, each with the SQL expression that replaces its value. */
type Changes = Readonly<Record<string, string>>;

const NO_GIVER = { giver_first: 'NULL', giver_last: 'NULL', giver_email: 'NULL', giver_phone: 'NULL' };
/** Changes that turn the copy of a gift into its reversing entry. */
const REVERSING = {
  ...NO_GIVER,
  contribution_type_id: '7',
  amount: '-amount',
  reverses_id: 'id',
  status: '0',
  reversed_amount: '0',
};
/** Changes that turn the copy of a gift into an entry that moves it to another fund, or back. */
const MOVING = { ...NO_GIVER, moves_id: 'id', transaction_id: 'NULL', request_digest: 'NULL', first_person_id: 'NULL' };

/** Inserts a copy of a row with some columns changed. The database makes the id. */
async function copy(table: string, id: number, changes: Changes): Promise<void> {
  const columns = await service.database.query<{ name: string }>(
    `SELECT column_name AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND table_name = $1 AND is_identity = 'NO'`,
    [table],
  );
  const names = columns.map(({ name }) => name);
  const unknown = Object.keys(changes).filter((name) => !names.includes(name));
  if (unknown.length > 0) throw new Error(`${table} has no column ${unknown.join()}`);
  const values = names.map((name) => changes[name] ?? name);
  await service.database.query(
    `INSERT INTO ${table} (${names.join()}) SELECT ${values.join()} FROM ${table} WHERE id = $1`,
    [id],
  );
}

async function refuses(statement: () => Promise<unknown>, code: string): Promise<void> {
  const before = await rowCounts(service);
  await expect(statement()).rejects.toMatchObject({ code });
  expect(await rowCounts(service)).toEqual(before);
}

describe('the database', () => {
  it('accepts a valid copy of a gift and its reversing entry', async () => {
    const { ContributionId } = await addedGift(service, {});
    await copy('contribution', ContributionId, { payment_id: 'NULL' });
    await copy('contribution', ContributionId, REVERSING);
    const sums = 'SELECT sum(amount) FROM contribution WHERE id = $1 OR reverses_id = $1';
    expect(await service.database.query(sums, [ContributionId])).toEqual([{ sum: '0.00' }]);
  });

  it.each<[string, Changes, string]>([
    ['an amount of 0', { amount: '0' }, CHECK],
    ['an amount that rounds to 0', { amount: '0.001' }, CHECK],
    ['an amount of NaN', { amount: "'NaN'" }, CHECK],
    ['no amount', { amount: 'NULL' }, NOT_NULL],
    ['a negative amount that reverses nothing', { amount: '-amount' }, CHECK],
    ['a positive amount that reverses a gift', { ...REVERSING, amount: 'amount' }, CHECK],
    ['an amount of 0 that reverses a gift', { ...REVERSING, amount: '0' }, CHECK],
    ['type 7 that reverses nothing', { contribution_type_id: '7' }, CHECK],
    ['another type that reverses a gift', { ...REVERSING, contribution_type_id: '1' }, CHECK],
    ['an unknown status', { status: '2' }, CHECK],
    ['a negative status', { status: '-1' }, CHECK],
    ['no status', { status: 'NULL' }, NOT_NULL],
    ['a reversing entry that is reversed', { ...REVERSING, status: '1' }, CHECK],
    ['a gift without the giver’s details', NO_GIVER, CHECK],
    ['a gift of an unknown person', { person_id: '2000000001' }, FOREIGN_KEY],
    ['a gift without a person', { person_id: 'NULL' }, NOT_NULL],
    ['a gift for an unknown fund', { fund_id: '2000000001' }, FOREIGN_KEY],
    ['a gift in an unknown bundle', { bundle_id: '2000000001' }, FOREIGN_KEY],
    ['a gift of an unknown type', { contribution_type_id: '2' }, FOREIGN_KEY],
    ['a gift by an unknown user', { created_by: '2000000001' }, FOREIGN_KEY],
    ['a reversal of an unknown gift', { ...REVERSING, reverses_id: '2000000001' }, FOREIGN_KEY],
    ['no day', { day: 'NULL' }, NOT_NULL],
    ['no currency', { currency: 'NULL' }, NOT_NULL],
  ])('refuses %s', async (_what, changes, code) => {
    await refuses(() => copy('contribution', gift.ContributionId, changes), code);
  });

  it('refuses a reversing entry for a gift of which nothing is left', async () => {
    await refuses(() => copy('contribution', reversed, REVERSING), CHECK);
    await refuses(() => copy('contribution', entry, {}), CHECK);
  });

  it('keeps how much of a gift is reversed, and its status', async () => {
    const { ContributionId } = await addedGift(service, {});
    const state = async (): Promise<unknown> =>
      (
        await service.database.query('SELECT reversed_amount, status FROM contribution WHERE id = $1', [ContributionId])
      )[0];
    await copy('contribution', ContributionId, { ...REVERSING, amount: '-4' });
    expect(await state()).toEqual({ reversed_amount: '4.00', status: 0 });
    await refuses(() => copy('contribution', ContributionId, { ...REVERSING, amount: '-6.01' }), CHECK);
    await copy('contribution', ContributionId, { ...REVERSING, amount: '-6' });
    expect(await state()).toEqual({ reversed_amount: '10.00', status: 1 });
    await service.database.query('UPDATE contribution SET status = 0 WHERE id = $1', [ContributionId]);
    expect(await state()).toEqual({ reversed_amount: '10.00', status: 1 });
    await service.database.query('DELETE FROM contribution WHERE reverses_id = $1 AND amount = -4', [ContributionId]);
    expect(await state()).toEqual({ reversed_amount: '6.00', status: 0 });
  });

  it('refuses a reversal by a release that knows no parts, moves and reinstatements', async () => {
    const { ContributionId } = await addedGift(service, { Splits: [{ Amount: '4' }, { Amount: '6' }] });
    const asBefore = { ...REVERSING, transaction_id: 'NULL', request_digest: 'NULL', first_person_id: 'NULL' };
    await refuses(() => copy('contribution', ContributionId, asBefore), CHECK);
  });

  it('gives an entry the person and the currency of its gift', async () => {
    const { ContributionId } = await addedGift(service, {});
    await copy('contribution', ContributionId, {
      ...REVERSING,
      amount: '-1',
      currency: "'EUR'",
      person_id: '2000000001',
    });
    expect(
      await service.database.query(
        `SELECT DISTINCT c.currency, c.person_id = g.person_id AS same FROM contribution c JOIN contribution g ON g.id = c.reverses_id
         WHERE c.reverses_id = $1`,
        [ContributionId],
      ),
    ).toEqual([{ currency: 'USD', same: true }]);
  });

  it.each<[string, Changes, string]>([
    ['a further part of a payment that is complete', {}, CHECK],
    ['a part of an unknown payment', { payment_id: '2000000001' }, FOREIGN_KEY],
    ['an entry that moves a gift alone', MOVING, CHECK],
    ['a reinstatement of a gift', { reinstates_id: 'id', transaction_id: 'NULL' }, CHECK],
    ['an entry that both reverses and moves', { ...REVERSING, moves_id: 'id' }, CHECK],
    ['a reason on a gift', { payment_id: 'NULL', reason: "'refund'" }, CHECK],
    ['an unknown reason', { ...REVERSING, reason: "'because'" }, CHECK],
  ])('refuses %s', async (_what, changes, code) => {
    await refuses(() => copy('contribution', gift.ContributionId, changes), code);
  });

  it.each([
    ['an amount of a payment that differs from its parts', 'UPDATE payment SET amount = amount + 1 WHERE id = $1'],
    ['an amount of a part that differs from its payment', 'UPDATE contribution SET amount = amount + 1 WHERE id = $1'],
    ['a fee above the amount', 'UPDATE payment SET fee = amount + 0.01 WHERE id = $1'],
    ['a negative fee', 'UPDATE payment SET fee = -0.01 WHERE id = $1'],
    ['an unknown method', "UPDATE payment SET method = 'gold' WHERE id = $1"],
    ['a status that is not what is left', 'UPDATE contribution SET reversed_amount = amount + 1 WHERE id = $1'],
  ])('refuses %s', async (_what, update) => {
    await refuses(() => service.database.query(update, [gift.ContributionId]), CHECK);
  });

  it('refuses an entry that reverses itself', async () => {
    const update = 'UPDATE contribution SET reverses_id = id WHERE id = $1';
    await refuses(() => service.database.query(update, [entry]), CHECK);
  });

  it.each([
    'UPDATE contribution SET amount = 0',
    'UPDATE contribution SET amount = -amount',
    'UPDATE contribution SET reverses_id = NULL',
  ])('refuses %s for a reversing entry', async (update) => {
    await refuses(() => service.database.query(`${update} WHERE id = $1`, [entry]), CHECK);
  });

  it.each<[string, Changes, string]>([
    ['a second open bundle of one type, user and day', {}, UNIQUE],
    ['an unknown bundle status', { status: '2' }, CHECK],
    ['a closed bundle without a time of closing', { status: '0' }, CHECK],
    ['an open bundle with a time of closing', { day: 'day - 1', closed_at: 'now()' }, CHECK],
    ['a bundle of an unknown type', { bundle_type_id: '7' }, FOREIGN_KEY],
    ['a bundle of an unknown user', { user_id: '2000000001' }, FOREIGN_KEY],
    ['a bundle without a day', { day: 'NULL' }, NOT_NULL],
  ])('refuses %s', async (_what, changes, code) => {
    const { bundleId } = await readBack(service, gift.ContributionId);
    await refuses(() => copy('bundle', bundleId, changes), code);
  });

  it('accepts any number of closed bundles', async () => {
    const { bundleId } = await readBack(service, gift.ContributionId);
    for (let i = 0; i < 2; i++) await copy('bundle', bundleId, { status: '0', closed_at: 'now()' });
  });

  it.each([
    ['person', () => gift.PeopleId],
    ['contribution', () => reversed],
    ['fund', () => 1],
    ['contribution_type', () => 1],
    ['bundle_type', () => 4],
    ['app_user', () => 1],
  ])('refuses to delete a %s that is still referenced', async (table, id) => {
    await refuses(() => service.database.query(`DELETE FROM ${table} WHERE id = $1`, [id()]), FOREIGN_KEY);
  });

  it('refuses a second default fund', async () => {
    const insert = `INSERT INTO fund (name, is_default) VALUES ('Second', true)`;
    await refuses(() => service.database.query(insert), UNIQUE);
  });

  it('refuses an unknown role', async () => {
    await refuses(() => service.database.query(`INSERT INTO role (name) VALUES ('Admin')`), CHECK);
  });
});

describe('the reference data', () => {
  it.each([
    [
      'contribution_type',
      ['1 Regular', '5 Online', '7 Reversed', '8 Pledge', '9 NonTaxDed', '10 Gift In Kind', '20 Stock'],
    ],
    [
      'bundle_type',
      [
        ...['1 Generic Envelopes', '2 Loose Checks and Cash', '3 Preprinted Envelopes', '4 Online', '5 Online Pledge'],
        ...['6 Pledge', '20 Mission Trip', '30 Gifts In Kind', '32 Stock'],
      ],
    ],
    ['fund', ['1 General']],
  ])('of %s has its fixed ids', async (table, rows) => {
    const found = await service.database.query<{ row: string }>(
      `SELECT id || ' ' || name AS row FROM ${table} ORDER BY id`,
    );
    expect(found.map(({ row }) => row)).toEqual(rows);
  });
});
