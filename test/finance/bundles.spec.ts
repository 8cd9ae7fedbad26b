import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DateTime } from 'luxon';
import { type Login, ROLES, startTestApp, type TestApp } from '../support/test-app.js';
import { type Added, addedGift, fillPool, readBack, recordedGift } from '../contract/gift-requests.js';

/** A time zone whose current day differs from the day in UTC. */
const ZONE = DateTime.utc().hour >= 10 ? 'Pacific/Kiritimati' : 'Pacific/Pago_Pago';

let service: TestApp;
let users = 0;

beforeAll(async () => {
  service = await startTestApp({ CHURCH_TIME_ZONE: ZONE });
});
afterAll(() => service.stop());

/** For simultaneous gifts: givers with the same phone would wait for each other before they look for a bundle. */
const UNSHARED = { Phone: 'n/a' };

interface Bundle {
  readonly id: number;
  readonly bundle_type_id: number;
  readonly username: string;
  readonly day: string;
  readonly status: number;
}

/** A user without any bundle. */
const newUser = (): Promise<Login> => service.createUser(`user${++users}`, 'correct horse battery', ROLES);

const bundlesOf = ([username]: Login): Promise<Bundle[]> =>
  service.database.query<Bundle>(
    `SELECT b.id, b.bundle_type_id, u.username, b.day::text AS day, b.status
     FROM bundle b JOIN app_user u ON u.id = b.user_id WHERE u.username = $1 ORDER BY b.id`,
    [username],
  );

/** The bundle that a new gift of this user goes into. */
async function bundleOf(fields: object, login = service.login): Promise<number> {
  const { ContributionId } = (await service.add(fields, login).expect(200)).body as Added;
  const [row] = await service.database.query<{ id: number }>('SELECT bundle_id AS id FROM contribution WHERE id = $1', [
    ContributionId,
  ]);
  return row?.id ?? 0;
}

const close = (bundleId: number): Promise<unknown> =>
  service.database.query('UPDATE bundle SET status = 0, closed_at = now() WHERE id = $1', [bundleId]);

const today = (): string => DateTime.now().setZone(ZONE).toISODate() ?? '';

describe('a bundle', () => {
  it('takes all gifts of its type, user and day', async () => {
    const login = await newUser();
    const ids = [
      await bundleOf({}, login),
      await bundleOf({ Amount: 7 }, login),
      await bundleOf({ BundleTypeId: 4 }, login),
    ];
    expect(new Set(ids).size).toBe(1);
    expect(await bundlesOf(login)).toMatchObject([{ id: ids[0], bundle_type_id: 4, status: 1 }]);
  });

  it('exists once for each type', async () => {
    const login = await newUser();
    for (const BundleTypeId of [20, 5, 20, 5, 32]) await bundleOf({ BundleTypeId }, login);
    expect((await bundlesOf(login)).map(({ bundle_type_id: type }) => type)).toEqual([20, 5, 32]);
  });

  it('exists once for each user, so that each processor’s deposits can be reconciled', async () => {
    const [one, two] = [await newUser(), await newUser()];
    expect(await bundleOf({}, one)).not.toBe(await bundleOf({}, two));
    expect([await bundlesOf(one), await bundlesOf(two)].map((bundles) => bundles.length)).toEqual([1, 1]);
  });

  it('has today’s date in church time, not the date in UTC', async () => {
    const login = await newUser();
    const before = today();
    await bundleOf({}, login);
    const [bundle] = await bundlesOf(login);
    expect([before, today()]).toContain(bundle?.day);
    expect(bundle?.day).not.toBe(DateTime.utc().toISODate());
  });

  it('has today’s date, whatever the date of the gift', async () => {
    const login = await newUser();
    const id = await bundleOf({}, login);
    expect(await bundleOf({ Date: '1999-12-31' }, login)).toBe(id);
    expect(await bundleOf({ Date: DateTime.now().setZone(ZONE).plus({ days: 1 }).toISODate() }, login)).toBe(id);
  });

  it('of another day gets no new gifts, even if it is open', async () => {
    const login = await newUser();
    const id = await bundleOf({}, login);
    await service.database.query('UPDATE bundle SET day = day - 1 WHERE id = $1', [id]);
    expect(await bundleOf({}, login)).not.toBe(id);
    expect((await bundlesOf(login)).map(({ status }) => status)).toEqual([1, 1]);
  });

  it('is shared by simultaneous first gifts', async () => {
    const login = await newUser();
    await fillPool(service);
    const gifts = await Promise.all(
      Array.from({ length: 30 }, () => service.add({ ...UNSHARED, BundleTypeId: 6 }, login)),
    );
    expect(gifts.map(({ status }) => status)).toEqual(gifts.map(() => 200));
    expect(await bundlesOf(login)).toHaveLength(1);
  });

  it('is shared by simultaneous gifts and reversals', async () => {
    const login = await newUser();
    await fillPool(service);
    const gifts = await Promise.all(Array.from({ length: 10 }, () => addedGift(service, { BundleTypeId: 2 })));
    const answers = await Promise.all([
      ...gifts.map(({ ContributionId }) => service.reverse(`${ContributionId}/a`, login)),
      ...gifts.map(() => service.add({ ...UNSHARED, BundleTypeId: 2 }, login)),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(await bundlesOf(login)).toHaveLength(1);
  });

  it('cannot be open twice for the same type, user and day', async () => {
    const login = await newUser();
    await bundleOf({}, login);
    const copy = `INSERT INTO bundle (bundle_type_id, user_id, day)
                  SELECT bundle_type_id, user_id, day FROM bundle WHERE id = $1`;
    const [bundle] = await bundlesOf(login);
    await expect(service.database.query(copy, [bundle?.id])).rejects.toMatchObject({ code: '23505' });
  });
});

describe('a closed bundle', () => {
  it('is followed by a new one, which can be closed as well', async () => {
    const login = await newUser();
    const ids: number[] = [];
    for (let i = 0; i < 3; i++) {
      const id = await bundleOf({}, login);
      expect(await bundleOf({}, login)).toBe(id);
      await close(id);
      ids.push(id);
    }
    expect(new Set(ids).size).toBe(3);
    expect((await bundlesOf(login)).map(({ status }) => status)).toEqual([0, 0, 0]);
  });

  it('is replaced by a single bundle for simultaneous gifts', async () => {
    const login = await newUser();
    await fillPool(service);
    const closed = await bundleOf({}, login);
    await close(closed);
    const ids = await Promise.all(Array.from({ length: 20 }, () => bundleOf(UNSHARED, login)));
    expect(new Set(ids).size).toBe(1);
    expect(ids[0]).not.toBe(closed);
  });

  it('gets no reversing entries for its gifts', async () => {
    const { contributionId, bundleId } = await recordedGift(service, { BundleTypeId: 3 });
    await close(bundleId);
    await service.reverse(`${contributionId}/a`).expect(200);
    const { reversal } = await readBack(service, contributionId);
    expect((await readBack(service, reversal.contributionId)).bundleId).not.toBe(bundleId);
  });

  it('contains exactly what was totalled, even if gifts arrive meanwhile', async () => {
    const login = await newUser();
    await service.database.query('CREATE TABLE closing (bundle_id integer, gifts integer)');
    // Like closing in the service: wait for running gifts, then total. Each statement sees all earlier commits.
    await service.database.query(`
      CREATE FUNCTION close_bundles(of_user text) RETURNS void LANGUAGE plpgsql AS $$
      DECLARE target integer;
      BEGIN
        SELECT b.id INTO target FROM bundle b JOIN app_user u ON u.id = b.user_id
          WHERE u.username = of_user AND b.status = 1 FOR UPDATE OF b;
        IF NOT FOUND THEN RETURN; END IF;
        INSERT INTO closing SELECT target, count(*) FROM contribution WHERE bundle_id = target;
        UPDATE bundle SET status = 0, closed_at = now() WHERE id = target;
      END$$`);
    await bundleOf({}, login);
    const end = new AbortController();
    const closing = (async (): Promise<void> => {
      while (!end.signal.aborted) await service.database.query('SELECT close_bundles($1)', [login[0]]);
    })();
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => service.add({ ...UNSHARED, BundleTypeId: 1 }, login)),
    );
    end.abort();
    await closing;
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const late = await service.database.query(`
      SELECT * FROM closing c WHERE gifts <> (SELECT count(*) FROM contribution WHERE bundle_id = c.bundle_id)`);
    expect(late).toEqual([]);
    expect((await bundlesOf(login)).length).toBeGreaterThan(2);
  });
});
