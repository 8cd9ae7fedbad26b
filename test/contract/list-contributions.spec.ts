import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type supertest from 'supertest';
import { holdLock } from '../support/held-lock.js';
import { type Login, ROLES, startTestApp, type TestApp } from '../support/test-app.js';
import { type Added, type Problem, readBack, type View } from './gift-requests.js';
import { mergePersons } from '../support/merge-persons.js';

interface Page {
  readonly contributions: readonly View[];
  readonly next: string;
  readonly more: boolean;
}

const PASSWORD = 'correct horse battery';
const FINANCE: Login = ['treasurer', PASSWORD];

let service: TestApp;
let processors = 0;
/** Tests create their own processor and so have their own list. */
let processor: Login;

beforeAll(async () => {
  service = await startTestApp({ CHURCH_TIME_ZONE: 'America/Chicago' });
  await service.createUser(...FINANCE, ['Finance']);
  await service.database.query("INSERT INTO fund (name) VALUES ('Building')");
});
afterAll(() => service.stop());

async function newProcessor(): Promise<Login> {
  processor = await service.createUser(`processor ${++processors}`, PASSWORD, ROLES);
  return processor;
}

const get = (query: object, login = processor): supertest.Test => service.get('Contributions', login).query(query);
const page = async (query: object, login = processor): Promise<Page> =>
  (await get(query, login).expect(200)).body as Page;
const idsOf = ({ contributions }: Page): number[] => contributions.map(({ contributionId }) => contributionId);
const add = async (fields: object = {}, login = processor): Promise<number> =>
  ((await service.add(fields, login).expect(200)).body as Added).ContributionId;

/** Reads all pages to the end, as the loop of a processor does. */
async function readOn(query: object, limit: number, login = processor): Promise<{ ids: number[]; next: string }> {
  const ids: number[] = [];
  for (let after: object = {}; ;) {
    const { contributions, next, more } = await page({ ...query, ...after, limit }, login);
    ids.push(...contributions.map(({ contributionId }) => contributionId));
    if (!more) return { ids, next };
    expect(contributions).toHaveLength(limit);
    after = { after: next };
  }
}

describe('the list of contributions', () => {
  beforeAll(newProcessor);

  it('is empty before the first gift and returns a position to continue from', async () => {
    const empty = await page({});
    expect(empty).toEqual({ contributions: [], next: expect.stringMatching(/^id\.\d+$/) as unknown, more: false });
    const gift = await add();
    expect(idsOf(await page({ after: empty.next }))).toEqual([gift]);
  });

  it('shows each contribution as the read-back does', async () => {
    const gift = await add({ Source: 'txt2give', Notes: 'n' });
    await service.reverse(`${gift}/txt2give`, processor).expect(200);
    const { contributions } = await page({ source: 'txt2give' });
    expect(contributions).toHaveLength(2);
    for (const shown of contributions) expect(shown).toEqual(await readBack(service, shown.contributionId, processor));
  });

  it.each([1, 2, 3, 100])('has pages of %i that contain each contribution once and in order', async (limit) => {
    for (let i = 0; i < 3; i++) await add();
    const { ids } = await readOn({}, limit);
    expect(ids).toEqual(idsOf(await page({ limit: 500 })));
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
  });

  it('has pages of 100 by default', async () => {
    await service.database.query(
      `INSERT INTO contribution (person_id, amount, currency, given_at, day, fund_id, bundle_id, contribution_type_id,
         giver_first, giver_last, giver_email, giver_phone, created_by)
       SELECT person_id, amount, currency, given_at, day, fund_id, bundle_id, contribution_type_id, 'a', 'b', 'c', 'd',
         created_by
       FROM contribution JOIN app_user u ON u.id = created_by, generate_series(1, 120)
       WHERE u.username = $1 AND reverses_id IS NULL LIMIT 120`,
      [processor[0]],
    );
    const first = await page({});
    expect(first.contributions).toHaveLength(100);
    expect(first.more).toBe(true);
  });
});

describe('visibility', () => {
  it('a processor sees its own gifts and all their reversing entries, and Finance sees everything', async () => {
    const other = await newProcessor();
    const gift = await add();
    const reverser = await newProcessor();
    const own = await add();
    await service.reverse(`${gift}/x`, reverser).expect(200);
    const entry = (await readBack(service, gift, other)).reversal.contributionId;
    expect(idsOf(await page({}, other))).toEqual([gift, entry]);
    expect(idsOf(await page({}, reverser))).toEqual([own]);
    const all = (await readOn({}, 50, FINANCE)).ids;
    expect(all).toEqual(expect.arrayContaining([gift, own, entry]));
    // Filters by another user's person or bundle return nothing.
    const { peopleId, bundleId } = await readBack(service, gift, other);
    for (const query of [{ peopleId }, { bundleId }]) expect(idsOf(await page(query, reverser))).toEqual([]);
  });
});

describe('filters', () => {
  let gifts: number[];
  let entry: number;

  beforeAll(async () => {
    await newProcessor();
    gifts = [
      await add({ Date: '2026-01-15T23:30:00', FundId: 2, Source: 'web' }),
      await add({ Date: '2026-01-16T00:30:00', Source: 'web', TransactionId: 't 1' }),
      await add({ Date: '2026-01-17', BundleTypeId: 20, Source: 'Web' }),
    ];
    await service.reverse(`${gifts[0] ?? 0}/back`, processor).expect(200);
    entry = (await readBack(service, gifts[0] ?? 0, processor)).reversal.contributionId;
  });

  const of = (...indexes: number[]): number[] => indexes.map((index) => gifts[index] ?? entry);
  const view = (index: number): Promise<View> => readBack(service, gifts[index] ?? 0, processor);

  it.each([
    [{ fundId: 2 }, [0, 3]],
    [{ fundId: 1 }, [1, 2]],
    [{ source: 'web' }, [0, 1]],
    [{ source: ' web ' }, [0, 1]],
    [{ source: 'back' }, [3]],
    [{ transactionId: 't 1' }, [1]],
    [{ source: 'web', transactionId: 't 2' }, []],
    [{ status: 'reversed' }, [0]],
    [{ STATUS: 'Recorded' }, [1, 2, 3]],
    [{ from: '2026-01-16', to: '2026-01-16' }, [1]],
    [{ from: '2026-01-15', to: '2026-01-16' }, [0, 1]],
    [{ to: '2026-01-16', status: 'Recorded' }, [1]],
    [{ fundId: 2_000_000_001 }, []],
    [{ peopleId: 2_000_000_001 }, []],
  ])('%j', async (query, expected) => {
    expect(idsOf(await page(query))).toEqual(of(...expected));
  });

  it('by person and by bundle return their gifts', async () => {
    const { peopleId, bundleId } = await view(2);
    expect(idsOf(await page({ peopleId }))).toEqual(of(2));
    expect(idsOf(await page({ bundleId }))).toEqual(of(2));
  });

  it('by a merged person return the gifts of the survivor', async () => {
    const [first, second] = [await view(1), await view(2)];
    await mergePersons(service, { from: first.peopleId, into: second.peopleId });
    expect(idsOf(await page({ peopleId: first.peopleId }))).toEqual(of(1, 2));
  });
});

describe('the list of changes', () => {
  let first: number;
  let second: number;

  beforeAll(async () => {
    await newProcessor();
    [first, second] = [await add(), await add()];
  });

  it('is in the order of changes and contains a contribution again after each change', async () => {
    const start = await page({ updatedSince: '1900-01-01' });
    expect(idsOf(start)).toEqual([first, second]);
    await service.reverse(`${first}/x`, processor).expect(200);
    const entry = (await readBack(service, first, processor)).reversal.contributionId;
    const news = await page({ updatedSince: '1900-01-01', after: start.next });
    expect(idsOf(news)).toEqual([first, entry]);
    expect(news.contributions[0]).toMatchObject({ status: 'Reversed' });
    expect(idsOf(await page({ after: news.next }))).toEqual([]);
    expect(idsOf(await page({ updatedSince: '1900-01-01' }))).toEqual([second, first, entry]);
  });

  it('contains what changed at the given time or later', async () => {
    const { updatedAt } = await readBack(service, second, processor);
    expect(idsOf(await page({ updatedSince: updatedAt })).at(0)).toBe(second);
    const tomorrow = new Date(Date.now() + 60_000).toISOString();
    expect(await page({ updatedSince: tomorrow })).toMatchObject({ contributions: [], more: false });
  });

  it('gives a reader who keeps the latest version of each the same as the whole list', async () => {
    const kept = new Map<number, View>();
    const keep = ({ contributions }: Page): void => {
      for (const view of contributions) kept.set(view.contributionId, view);
    };
    const gifts = await Promise.all(Array.from({ length: 8 }, () => add()));
    let news = await page({ updatedSince: '1900-01-01', limit: 2 });
    keep(news);
    for (const gift of gifts.slice(0, 5)) {
      await Promise.all([service.reverse(`${gift}/x`, processor).expect(200), add()]);
      news = await page({ after: news.next, limit: 3 });
      keep(news);
    }
    while (news.more) {
      news = await page({ after: news.next, limit: 3 });
      keep(news);
    }
    const { contributions } = await page({ limit: 500 });
    expect([...kept.values()].sort((a, b) => a.contributionId - b.contributionId)).toEqual(contributions);
  });
});

describe('while another call is running', () => {
  const INSERT = `
    INSERT INTO contribution (person_id, amount, currency, given_at, day, fund_id, bundle_id, contribution_type_id,
      giver_first, giver_last, giver_email, giver_phone, created_by)
    SELECT person_id, 77, currency, given_at, day, fund_id, bundle_id, contribution_type_id, 'a', 'b', 'c', 'd', created_by
    FROM contribution WHERE id = $1`;

  it.each([
    ['by id', {}],
    ['by change', { updatedSince: '1900-01-01' }],
  ])('a page %s ends before uncommitted contributions, and no contribution is missed', async (_order, query) => {
    await newProcessor();
    const first = await add();
    const late = await holdLock(service.database.url, INSERT, [first]);
    const second = await add();
    const early = await page(query);
    expect(early).toMatchObject({ contributions: [{ contributionId: first }], more: false });
    await late.release();
    const rest = await page({ ...query, after: early.next });
    expect(rest.contributions.map(({ amount }) => amount)).toEqual(['77.00', '10.00']);
    expect(idsOf(rest).at(1)).toBe(second);
    expect(idsOf(await page({ ...query, after: rest.next }))).toEqual([]);
  });

  it.each(['yes', '0 0', '2147483647 2147483647'])(
    'a page ends before uncommitted contributions of a session that sets offertory.change_announced to %s',
    async (value) => {
      await newProcessor();
      const first = await add();
      const set = `SELECT set_config('offertory.change_announced', '${value}', true);`;
      const insert = INSERT.replace('$1', String(first));
      const late = await holdLock(service.database.url, `${set} ${insert}; ${set} ${insert}`, []);
      await add();
      expect(idsOf(await page({})).filter((id) => id > first)).toEqual([]);
      await late.release();
      expect(idsOf(await page({}))).toHaveLength(4);
    },
  );

  it('a page ends before uncommitted changes as well', async () => {
    await newProcessor();
    const [first, second] = [await add(), await add()];
    const { next } = await page({ updatedSince: '1900-01-01' });
    const late = await holdLock(service.database.url, 'UPDATE contribution SET status = status WHERE id = $1', [first]);
    const third = await add();
    expect(idsOf(await page({ after: next }))).toEqual([]);
    await late.release();
    expect(idsOf(await page({ after: next }))).toEqual([first, third]);
    expect(idsOf(await page({}))).toEqual([first, second, third]);
  });

  it('a page continues after the call is rolled back', async () => {
    await newProcessor();
    const first = await add();
    const given = await holdLock(service.database.url, INSERT, [first]);
    const second = await add();
    expect(idsOf(await page({}))).toEqual([first]);
    await given.rollBack();
    expect(idsOf(await page({}))).toEqual([first, second]);
  });

  it('a transaction of many statements holds as many locks as one of a single statement', async () => {
    const gift = await add();
    const statements = Array.from({ length: 30 }, () => `UPDATE contribution SET status = status WHERE id = ${gift}`);
    const many = await holdLock(service.database.url, statements.join(';'), []);
    const locks = await service.database.query(
      `SELECT FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    );
    await many.release();
    expect(locks).toHaveLength(2);
  });
});

describe('the query is refused for', () => {
  beforeAll(newProcessor);

  it.each([
    ['fundid2', { fundid2: 1 }],
    ['peopleId', { peopleId: '' }],
    ['peopleId', { peopleId: '0' }],
    ['peopleId', { peopleId: '1e1' }],
    ['fundId', { fundId: ['1', '2'] }],
    ['bundleId', { bundleId: '1', BUNDLEID: '2' }],
    ['source', { source: 'x'.repeat(101) }],
    ['source', { 'source[a]': 'x' }],
    ['status', { status: 'open' }],
    ['from', { from: '2026-02-30' }],
    ['to', { to: '1/15/2026' }],
    ['updatedSince', { updatedSince: 'yesterday' }],
    ['after', { after: '17' }],
    ['after', { after: 'id.1', updatedSince: '2026-01-01' }],
    ['after', { after: 'change.2000000000' }],
    ['after', { after: 'id.2000000000' }],
    ['limit', { limit: 0 }],
    ['limit', { limit: 501 }],
  ])('%s: %j', async (_field, query) => {
    const problem = (await get(query).expect(400)).body as Problem;
    expect(problem.code).toBe('invalid_request');
    expect(problem.errors).toHaveLength(1);
  });

  it('several invalid parameters, all in one answer', async () => {
    const problem = (await get({ peopleId: 'x', limit: 'y', status: 'z' }).expect(400)).body as Problem;
    expect(problem.errors?.map(({ field }) => field)).toEqual(['peopleId', 'status', 'limit']);
  });

  it('an unescaped +, with an explanation', async () => {
    const problem = (await get({ updatedSince: '2026-01-01T00:00:00 02:00' }).expect(400)).body as Problem;
    expect(problem.detail).toContain('%2B');
  });
});
