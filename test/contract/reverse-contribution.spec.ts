import { request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { EventEmitter2 } from '@nestjs/event-emitter';
import { DateTime } from 'luxon';
import { gift as giftFields, type Login, ROLES, startTestApp, type TestApp } from '../support/test-app.js';
import { addedGift, fillPool, type Problem, readBack, recordedGift, refusal, rowCounts } from './gift-requests.js';

const ZONE = 'America/Chicago';

let service: TestApp;
/** Another processor. */
let other: Login;

beforeAll(async () => {
  service = await startTestApp({ CHURCH_TIME_ZONE: ZONE });
  other = await service.createUser('other', 'correct horse battery', ROLES);
});
afterAll(() => service.stop());

const newGift = async (fields: object = {}): Promise<number> => (await addedGift(service, fields)).ContributionId;

interface Entry extends Record<string, unknown> {
  readonly id: number;
  readonly bundle_id: number;
  readonly given_at: Date;
  readonly created_at: Date;
}

/** The reversing entries of a gift, read from the table. */
async function entriesOf(gift: number): Promise<Entry[]> {
  return service.database.query<Entry>(
    `SELECT c.*, c.day::text AS day, b.bundle_type_id, b.day::text AS bundle_day, b.status AS bundle_status,
       b.user_id AS bundle_user_id, u.username
     FROM contribution c JOIN bundle b ON b.id = c.bundle_id JOIN app_user u ON u.id = c.created_by
     WHERE c.reverses_id = $1`,
    [gift],
  );
}

async function entryOf(gift: number): Promise<Entry> {
  const [entry, ...more] = await entriesOf(gift);
  if (entry === undefined || more.length > 0)
    throw new Error(`Contribution ${gift} has not exactly one reversing entry`);
  return entry;
}

/** One cell as text. */
async function cell(expression: string, ...values: unknown[]): Promise<string | null> {
  const [row] = await service.database.query<{ cell: string | null }>(`SELECT (${expression})::text AS cell`, values);
  return row?.cell ?? null;
}

/** Reverses by a path that no client library normalizes. Returns the status. */
function reverseRaw(path: string): Promise<number | undefined> {
  const { port } = service.app.getHttpServer().address() as AddressInfo;
  const options = { port, host: '127.0.0.1', method: 'POST', agent: false, auth: service.login.join(':') };
  return new Promise((resolve, reject) => {
    const request = httpRequest({ ...options, path: `/Api/ReverseContribution/${path}` }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    request.on('error', reject).end();
  });
}

describe('the id', () => {
  it.each([
    ...[
      '0',
      '01',
      '007',
      '-1',
      '+1',
      '1e1',
      '0x1',
      '1.0',
      '1.',
      '1,0',
      'abc',
      'null',
      '%20',
      '1%20',
      '%201',
      '1%00',
      '%EF%BC%91',
    ],
    ...['2147483648', '4294967297', '9007199254740993', '9'.repeat(40), '1;1', "1'", '1%2F1', 'NaN', 'Infinity', '1_0'],
  ])('%s is refused with 400', async (id) => {
    const problem = await refusal(service, () => service.reverse(`${id}/a`), 400, 'invalid_request');
    expect(problem.errors?.map(({ field }) => field)).toEqual(['id']);
  });

  it.each(['2147483647', '2000000001'])('%s is unknown', async (id) => {
    await refusal(service, () => service.reverse(`${id}/a`), 404, 'contribution_not_found');
  });

  it('is not looked up if the source is invalid', async () => {
    await refusal(service, () => service.reverse(`2000000001/%20`), 400, 'invalid_request');
  });
});

describe('the source', () => {
  it('is not read from the query, which is refused', async () => {
    const gift = await newGift();
    const answer = await service.reverse(`${gift}/a?source=b`).expect(400);
    expect(answer.body).toMatchObject({ code: 'invalid_request', errors: [{ field: 'source' }] });
    expect(await readBack(service, gift)).toMatchObject({ status: 'Recorded', reversal: null });
  });

  it.each([
    ['txt2give', 'txt2give'],
    ['Give%20Now', 'Give Now'],
    ['a%2Fb', 'a/b'],
    ['a+b', 'a+b'],
    ['a%252Fb', 'a%2Fb'],
    ['%20%C2%A0txt%E3%80%80', 'txt'],
    ['Cafe%CC%81', 'Caf\u{E9}'],
    ['%F0%9F%98%80'.repeat(100), '\u{1F600}'.repeat(100)],
    ['e%CC%81'.repeat(100), '\u{E9}'.repeat(100)],
    ["O'Neil%22%3Cb%3E%3B--", `O'Neil"<b>;--`],
    ['%24%26%24', '$&$'],
    ['a%E2%80%8Bb', 'a\u{200B}b'],
    ['0', '0'],
    ['null', 'null'],
  ])('%s is read as %j', async (path, source) => {
    const gift = await newGift();
    const answer = await service.reverse(`${gift}/${path}`).expect(200);
    expect(answer.body).toMatchObject({ contributionId: gift, source: `API Reverse (source=${source})` });
    expect((await readBack(service, gift)).reversal.source).toBe(source);
    expect((await entryOf(gift))['source']).toBe(source);
  });

  it.each([
    ...[
      '%',
      '%f',
      '%zz',
      '%ff',
      'a%c3',
      '%c0%af',
      '%ed%a0%80',
      '%00',
      'a%00b',
      '%0d%0a',
      'x%0d%0aBcc:%20e@example.org',
    ],
    ...[
      'a%09b',
      'a%0ab',
      'a%1bb',
      'a%7Fb',
      'a%C2%85b',
      '%20',
      '%C2%A0',
      '%E3%80%80%20',
      '%E2%80%8B',
      '%EF%BB%BF',
      '%09',
    ],
    ...['x'.repeat(101), '%F0%9F%98%80'.repeat(101), 'e%CC%81'.repeat(101)],
  ])('%s is refused with 400', async (source) => {
    const gift = await newGift();
    await refusal(service, () => service.reverse(`${gift}/${source}`), 400, 'invalid_request');
    expect((await readBack(service, gift))['status']).toBe('Recorded');
  });

  it('may consist of dots that look like a parent directory', async () => {
    const gift = await newGift();
    expect(await reverseRaw(`${gift}/%2e%2e`)).toBe(200);
    expect((await entryOf(gift))['source']).toBe('..');
  });
});

describe('a reversal', () => {
  let gift: number;
  let before: unknown;

  const rowOf = (): Promise<unknown> => service.database.query('SELECT * FROM contribution WHERE id = $1', [gift]);

  beforeEach(async () => {
    const sent = {
      Amount: '25.40',
      Date: '2026-02-01',
      Notes: 'n',
      Source: 'web',
      BundleTypeId: 20,
      ContributionTypeId: 9,
    };
    gift = await newGift(sent);
    before = await rowOf();
  });

  it('changes only the status, the reversed amount and the time of change of the gift', async () => {
    await service.reverse(`${gift}/txt2give`).expect(200);
    const [row] = before as [{ change_no: number; updated_at: Date }];
    const [now] = (await rowOf()) as [typeof row];
    const { change_no, updated_at } = now;
    const reversed = { status: 1, reversed_amount: '25.40' };
    expect(now).toEqual({ ...row, ...reversed, change_no, former_change_no: row.change_no, updated_at });
    expect(change_no).toBeGreaterThan(row.change_no);
    expect(updated_at.getTime()).toBeGreaterThanOrEqual(row.updated_at.getTime());
  });

  it('adds one entry with the negated amount, dated now, for the same person and fund', async () => {
    const [row] = before as [Record<string, unknown>];
    const start = Date.now();
    await service.reverse(`${gift}/txt2give`).expect(200);
    const entry = await entryOf(gift);
    expect(entry).toMatchObject({
      amount: '-25.40',
      currency: 'USD',
      contribution_type_id: 7,
      status: 0,
      source: 'txt2give',
    });
    expect(entry).toMatchObject({
      person_id: row['person_id'],
      fund_id: row['fund_id'],
      notes: null,
      giver_email: null,
    });
    expect(entry.given_at.getTime()).toBeGreaterThanOrEqual(start);
    expect(entry.given_at.getTime()).toBeLessThanOrEqual(Date.now());
    expect(entry['day']).toBe(DateTime.fromJSDate(entry.given_at, { zone: ZONE }).toISODate());
  });

  it('puts the entry into today’s open bundle of the gift’s bundle type and the reversing user', async () => {
    await service.reverse(`${gift}/txt2give`, other).expect(200);
    const entry = await entryOf(gift);
    expect(entry).toMatchObject({ username: 'other', bundle_type_id: 20, bundle_status: 1, bundle_day: entry['day'] });
    expect(entry['bundle_user_id']).toBe(entry['created_by']);
    expect(entry.bundle_id).not.toBe((before as [Entry])[0].bundle_id);
  });

  it('appears in the read-back of the gift and of the entry', async () => {
    await service.reverse(`${gift}/txt2give`, other).expect(200);
    const entry = await entryOf(gift);
    const reversal = { contributionId: entry.id, source: 'txt2give', by: 'other', at: entry.created_at.toISOString() };
    expect(await readBack(service, gift)).toMatchObject({
      status: 'Reversed',
      amount: '25.40',
      reverses: null,
      reversal,
    });
    const shown = {
      status: 'Recorded',
      amount: '-25.40',
      contributionTypeId: 7,
      reverses: gift,
      reversal: null,
      createdBy: 'other',
    };
    expect(await readBack(service, entry.id)).toMatchObject(shown);
  });

  it('happens once: a second one gets 409 with the time and source of the first', async () => {
    await service.reverse(`${gift}/first%20source`).expect(200);
    const problem = await refusal(service, () => service.reverse(`${gift}/second`, other), 409, 'already_reversed');
    expect(problem.detail).toContain('first source');
    expect(problem.detail).not.toContain('second');
    const named = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)/.exec(problem.detail)?.[0] ?? '';
    const { created_at: at } = await entryOf(gift);
    expect(Math.abs(Date.parse(named) - at.getTime())).toBeLessThan(1000);
  });

  it('happens once for 50 simultaneous calls', async () => {
    await fillPool(service);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => service.reverse(`${gift}/s${i}`, i % 2 === 0 ? other : service.login)),
    );
    const [won, ...more] = answers.filter(({ status }) => status === 200);
    expect(more).toHaveLength(0);
    const lost = answers.filter(({ status, body }) => status === 409 && (body as Problem).code === 'already_reversed');
    expect(lost).toHaveLength(49);
    expect(won?.body).toMatchObject({ source: `API Reverse (source=${String((await entryOf(gift))['source'])})` });
  });

  it('cannot itself be reversed', async () => {
    await service.reverse(`${gift}/txt2give`).expect(200);
    const { id } = await entryOf(gift);
    await refusal(service, () => service.reverse(`${id}/txt2give`), 409, 'not_reversible');
    expect((await readBack(service, gift))['status']).toBe('Reversed');
  });

  it('does not change equal gifts', async () => {
    const twin = giftFields('twin');
    const [first, second] = [await newGift(twin), await newGift(twin)];
    await service.reverse(`${first}/a`).expect(200);
    expect((await readBack(service, second))['status']).toBe('Recorded');
    expect(await entriesOf(second)).toEqual([]);
  });

  it.each([
    ['Finance alone', ['Finance'], 'APIWrite'],
    ['no APIWrite', ['Developer', 'APIOnly', 'Finance'], 'APIWrite'],
    ['no APIOnly', ['Developer', 'APIWrite'], 'APIOnly'],
    ['no Developer', ['APIOnly', 'APIWrite'], 'Developer'],
    ['no role', [], 'Developer'],
  ])('is forbidden for a user with %s', async (name, roles, missing) => {
    const login = await service.createUser(`user with ${name}`, 'correct horse battery', roles);
    const problem = await refusal(service, () => service.reverse(`${gift}/a`, login), 403, 'forbidden');
    expect(problem.detail).toContain(missing);
    expect((await readBack(service, gift))['status']).toBe('Recorded');
  });
});

describe('totals', () => {
  it('of a person, a fund and a bundle are net as plain sums', async () => {
    const [fund] = await service.database.query<{ id: number }>(`INSERT INTO fund (name) VALUES ('Roof') RETURNING id`);
    const giver = giftFields('totals', { FundId: fund?.id, BundleTypeId: 32 });
    const kept = await recordedGift(service, { ...giver, Amount: '10.10' });
    const reversed = await newGift({ ...giver, Amount: '0.70' });
    await service.reverse(`${reversed}/a`).expect(200);
    expect(await cell('SELECT sum(amount) FROM contribution WHERE person_id = $1', kept.peopleId)).toBe('10.10');
    expect(await cell('SELECT sum(amount) FROM contribution WHERE fund_id = $1', fund?.id)).toBe('10.10');
    expect(await cell('SELECT sum(amount) FROM contribution WHERE bundle_id = $1', kept.bundleId)).toBe('10.10');
  });

  it('by type count a reversal under the type of its gift, with pledges separate', async () => {
    const { PeopleId } = await addedGift(service, { Amount: '40', ContributionTypeId: 5 });
    const pledge = await newGift({ PeopleId, Amount: '500', ContributionTypeId: 8 });
    const reduced = await newGift({ PeopleId, Amount: '300', ContributionTypeId: 8 });
    await service.reverse(`${reduced}/a`).expect(200);
    const byType = await service.database.query(
      `SELECT COALESCE(g.contribution_type_id, c.contribution_type_id) AS type, sum(c.amount) AS total
       FROM contribution c LEFT JOIN contribution g ON g.id = c.reverses_id WHERE c.person_id = $1 GROUP BY 1 ORDER BY 1`,
      [PeopleId],
    );
    expect(byType).toEqual([
      { type: 5, total: '40.00' },
      { type: 8, total: '500.00' },
    ]);
    expect((await readBack(service, pledge))['contributionTypeId']).toBe(8);
  });
});

describe('a gift in a closed bundle or fund', () => {
  it('can be reversed, and the bundle does not change', async () => {
    const { contributionId, bundleId } = await recordedGift(service, { BundleTypeId: 30, Amount: '12.34' });
    await service.database.query('UPDATE bundle SET status = 0, closed_at = now() WHERE id = $1', [bundleId]);
    const contents = 'SELECT id, amount, fund_id, day::text FROM contribution WHERE bundle_id = $1 ORDER BY id';
    const before = await service.database.query(contents, [bundleId]);
    await service.reverse(`${contributionId}/a`).expect(200);
    expect(await service.database.query(contents, [bundleId])).toEqual(before);
    const entry = await entryOf(contributionId);
    expect(entry).toMatchObject({ bundle_type_id: 30, bundle_status: 1 });
    expect(entry.bundle_id).not.toBe(bundleId);
  });

  it('is reversed in its own fund, even if that was closed', async () => {
    const [fund] = await service.database.query<{ id: number }>(
      `INSERT INTO fund (name) VALUES ('Organ') RETURNING id`,
    );
    const gift = await newGift({ FundId: fund?.id });
    await service.database.query('UPDATE fund SET is_open = false WHERE id = $1', [fund?.id]);
    await service.reverse(`${gift}/a`).expect(200);
    expect(await entryOf(gift)).toMatchObject({ fund_id: fund?.id });
  });
});

describe('a reversal and its notice', () => {
  it('are stored together', async () => {
    const gift = await newGift();
    await service.reverse(`${gift}/a`).expect(200);
    const { id } = await entryOf(gift);
    expect(await cell('SELECT count(*) FROM notice WHERE reversing_contribution_id = $1', id)).toBe('1');
    expect(
      await cell(
        `SELECT count(*) FROM job WHERE queue = 'notify-finance' AND data->>'noticeId' IN
      (SELECT id::text FROM notice WHERE reversing_contribution_id = $1)`,
        id,
      ),
    ).toBe('1');
  });

  const counted = async (): Promise<unknown> => [
    await rowCounts(service),
    await cell('SELECT count(*) FROM notice'),
    await cell('SELECT count(*) FROM job'),
  ];

  it.each([
    ['the notice cannot be written', 'notice'],
    ['the job cannot be queued', 'job'],
  ])('are not stored when %s', async (_what, table) => {
    const gift = await newGift();
    const before = await counted();
    await service.database.query(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN RAISE 'no more of these'; END$$;
      CREATE TRIGGER refuse BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION refuse()`);
    try {
      expect((await service.reverse(`${gift}/a`)).status).toBeGreaterThanOrEqual(500);
    } finally {
      await service.database.query('DROP FUNCTION refuse CASCADE');
    }
    expect(await counted()).toEqual(before);
    expect(await readBack(service, gift)).toMatchObject({ status: 'Recorded', reversal: null });
    // The next attempt succeeds.
    await service.reverse(`${gift}/a`).expect(200);
  });

  it.each<[string, () => Promise<void> | undefined]>([
    [
      'throws',
      () => {
        throw new Error('a listener of another module');
      },
    ],
    ['rejects', () => Promise.reject(new Error('a listener of another module'))],
  ])('are not stored when a later listener %s', async (_how, fail) => {
    const gift = await newGift();
    const before = await counted();
    const events = service.app.get(EventEmitter2);
    const listener = (): void => fail() as unknown as undefined;
    events.on('contribution.reversed', listener);
    const { status } = await service.reverse(`${gift}/a`);
    events.off('contribution.reversed', listener);
    expect(status).toBe(500);
    expect(await counted()).toEqual(before);
    expect((await readBack(service, gift))['status']).toBe('Recorded');
  });
});
