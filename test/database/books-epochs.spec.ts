import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { holdLock } from '../support/held-lock.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { createTestDatabase } from '../support/test-database.js';
import { AT_RANDOM, booksOf } from './epochs.js';
import { readBack } from '../contract/gift-requests.js';

let service: TestApp;

beforeEach(async () => {
  service = await startTestApp();
});
afterEach(() => service.stop());

const { page, end, add, epochs, begin, sequences } = booksOf(() => service);

const refused = async (after: string): Promise<string> => {
  const problem = (await service.get(`Contributions?after=${after}`).expect(400)).body as {
    code: string;
    detail: string;
    errors: { field: string }[];
  };
  expect(problem).toMatchObject({ code: 'invalid_request', errors: [{ field: 'after' }] });
  return problem.detail;
};

/** Roles belong to the whole server, so each run needs its own name. */
const STRANGER = `stranger_${randomUUID().slice(0, 8)}`;

const INSERT = `
  INSERT INTO contribution (person_id, amount, currency, given_at, day, fund_id, bundle_id, contribution_type_id,
    giver_first, giver_last, giver_email, giver_phone, created_by)
  SELECT person_id, 77, currency, given_at, day, fund_id, bundle_id, contribution_type_id, 'a', 'b', 'c', 'd', created_by
  FROM contribution WHERE id = $1`;

describe('the end of a page', () => {
  it('is 0 before the first gift', async () => {
    expect(await end()).toEqual({ id: 'id.0', change: 'change.0' });
    await service.database.query("SELECT nextval('contribution_id_seq'), nextval('contribution_change_no_seq')");
    expect(await end()).toEqual({ id: 'id.0', change: 'change.0' });
  });

  it('is the highest visible number, whatever numbers the sequences have given out and whatever position was sent', async () => {
    const gift = await add();
    const before = await end();
    const lost = await holdLock(service.database.url, INSERT, [gift]);
    await lost.rollBack();
    expect(await end()).toEqual(before);
    // Earlier versions returned these positions as the end.
    expect((await page(`Contributions?after=id.${gift + 1}`)).next).toBe(before.id);
    expect((await page('Contributions?after=change.2')).next).toBe(before.change);
  });

  it('does not reveal to a processor how many gifts others add', async () => {
    const other = await service.createUser('another processor', 'correct horse battery', [
      'APIOnly',
      'Developer',
      'APIWrite',
    ]);
    const ends = async (): Promise<unknown[]> => {
      const byId = await service.get('Contributions?source=none', other).expect(200);
      const byChange = await service.get('Contributions?updatedSince=2100-01-01', other).expect(200);
      return [byId.body as unknown, byChange.body as unknown];
    };
    const endsAt = (id: number, change: number): unknown[] => [
      { contributions: [], next: `id.${id}`, more: false },
      { contributions: [], next: `change.${change}`, more: false },
    ];
    await add();
    expect(await ends()).toEqual(endsAt(0, 0));
    const { ContributionId } = (await service.add({}, other).expect(200)).body as { ContributionId: number };
    const [own] = await service.database.query<{ no: number }>('SELECT max(change_no) AS no FROM contribution');
    for (let i = 0; i < 3; i++) await add();
    expect(await ends()).toEqual(endsAt(ContributionId, own?.no ?? 0));
    // Earlier versions returned positions after the gifts of others. They are still accepted.
    const [last] = await service.database.query<{ id: number }>('SELECT max(id) AS id FROM contribution');
    const after = `Contributions?after=id.${last?.id ?? 0}`;
    expect((await service.get(after, other).expect(200)).body).toMatchObject({ contributions: [] });
    await service.createUser('the treasurer', 'correct horse battery', ['Finance']);
    const all = await service.get('Contributions', ['the treasurer', 'correct horse battery']).expect(200);
    expect(all.body).toMatchObject({ next: `id.${last?.id ?? 0}` });
  });
});

describe('a new epoch', () => {
  it('refuses positions after its fork and accepts all others', async () => {
    const [first, second] = [await add(), await add()];
    const kept = await end();
    const { fork_id: forkId, fork_change_no: forkChange } = await begin();
    expect([forkId, forkChange]).toEqual([second, 2]);
    const third = await add();
    expect(third).toBeGreaterThan(100_000);
    for (const after of [kept.id, kept.change, `id.${first}`, 'change.1']) {
      expect((await page(`Contributions?after=${after}`)).contributions.at(-1)).toMatchObject({
        contributionId: third,
      });
    }
    for (const after of [`id.${second + 1}`, 'change.3', `id.${third}`]) await refused(after);
    expect((await end()).id).toMatch(new RegExp(`^id\\.${third}\\.[0-9a-f]{12}$`));
  });

  it('tells a reader of changes how to start again without missing a gift', async () => {
    await add();
    await begin();
    const gift = await add();
    const detail = await refused('change.5');
    const [, since = ''] = /updatedSince=(\S+)\./.exec(detail) ?? [];
    expect((await page(`Contributions?updatedSince=${since}`)).contributions.at(-1)).toMatchObject({
      contributionId: gift,
    });
    expect(await refused('id.5')).toContain('Start again without it.');
  });

  it('refuses the positions of an epoch that these books never had', async () => {
    await add();
    await begin();
    const { id } = await end();
    await refused(id.replace(/.{12}$/, '0123456789ab'));
    expect((await page(`Contributions?after=${id}`)).contributions).toEqual([]);
  });

  it('puts the fork below a number whose transaction was still open', async () => {
    const first = await add();
    const late = await holdLock(service.database.url, INSERT, [first]);
    const second = await add();
    // A backup made at this moment sees this state.
    const epoch = await begin();
    await late.release();
    expect(epoch).toMatchObject({ fork_id: first, fork_change_no: 1 });
    await refused(`id.${second}`);
    await refused('change.3');
    expect((await page('Contributions?after=change.1')).contributions).toHaveLength(2);
  });

  it('does not mistake a replaced change number or an earlier gap for an open transaction', async () => {
    const gift = await add();
    await service.reverse(`${gift}/x`).expect(200);
    const { fork_change_no: forkChange } = await begin();
    expect(forkChange).toBe(3);
    const later = await add();
    expect(await begin()).toMatchObject({ fork_id: later, fork_change_no: expect.any(Number) as unknown });
    expect((await epochs()).at(-1)?.fork_change_no).toBe((await epochs()).at(1)?.first_change_no);
  });

  it('does not mistake a number that has been missing for a minute for an open transaction', async () => {
    const gift = await add();
    const lost = await holdLock(service.database.url, INSERT, [gift]);
    await lost.rollBack();
    const last = await add();
    await service.database.query(`ALTER TABLE contribution DISABLE TRIGGER USER;
      UPDATE contribution SET updated_at = updated_at - interval '1 minute', created_at = created_at - interval '1 minute';
      ALTER TABLE contribution ENABLE TRIGGER USER`);
    const latest = await add();
    expect(latest).toBe(last + 1);
    expect(await begin()).toMatchObject({ fork_id: latest, fork_change_no: 4 });
  });

  it('moves all ids that callers can see', async () => {
    const gift = await add();
    await service.reverse(`${gift}/x`).expect(200);
    await begin();
    const { peopleId, bundleId } = await readBack(service, await add(), service.login);
    expect(peopleId).toBeGreaterThan(100_000);
    // The gift goes into the bundle that is still open. A new bundle would get an id above the gap.
    expect(bundleId).toBe(1);
    const moved = await sequences();
    expect(moved.delete('role_id_seq')).toBe(true);
    expect(moved.size).toBeGreaterThanOrEqual(9);
    for (const [name, last] of moved) expect([name, last >= 100_000]).toEqual([name, true]);
  });
});

describe('the gap', () => {
  const fill = (days: number, perDay: number): Promise<unknown> =>
    service.database.query(
      `WITH made AS (
         INSERT INTO contribution (person_id, amount, currency, given_at, day, fund_id, bundle_id, contribution_type_id,
           giver_first, giver_last, giver_email, giver_phone, created_by)
         SELECT c.person_id, 1, c.currency, c.given_at, c.day, c.fund_id, c.bundle_id, 1, 'a', 'b', 'c', 'd', c.created_by
         FROM (SELECT * FROM contribution LIMIT 1) c, generate_series(1, $1::integer * $2::integer) RETURNING 1)
       SELECT count(*) FROM made`,
      [days, perDay],
    );

  it('is ten times the gifts per day, not counting earlier gaps', async () => {
    await add();
    await fill(1, 20_000);
    const first = await begin();
    expect(first.first_id - first.fork_id).toBeGreaterThanOrEqual(200_010);
    expect(first.first_id - first.fork_id).toBeLessThan(210_000 + AT_RANDOM);
    await add();
    const second = await begin();
    expect(second.first_id - second.fork_id).toBeLessThan(210_000 + AT_RANDOM);
  });

  it('differs when the same backup is restored again', async () => {
    const again = await createTestDatabase();
    const gap = `SELECT first_id AS id FROM begin_books_epoch('a test', NULL, 'a test')`;
    const [first] = await service.database.query<{ id: number }>(gap);
    const [second] = await again.query<{ id: number }>(gap);
    await again.drop();
    expect(Math.abs((first?.id ?? 0) - (second?.id ?? 0))).toBeGreaterThan(10);
  });

  it('grows with the time since the newest gift', async () => {
    await add();
    await service.database.query(`ALTER TABLE contribution DISABLE TRIGGER USER;
      UPDATE contribution SET updated_at = updated_at - interval '10 days';
      ALTER TABLE contribution ENABLE TRIGGER USER`);
    const { first_id: firstId } = await begin();
    expect(firstId).toBeGreaterThanOrEqual(100_000 + 864_000);
    expect(firstId).toBeLessThan(100_000 + 864_000 + 1_000 + AT_RANDOM);
  });

  it('ends above the given contribution id, and other ids move no further than that', async () => {
    await add();
    await service.database.query(`SELECT setval('contact_id_seq', 7000000)`);
    const before = await sequences();
    expect((await begin(5_000_000)).first_id).toBe(5_000_001);
    expect(await add()).toBe(5_000_001);
    const after = await sequences();
    for (const name of ['person_id_seq', 'contact_id_seq', 'fund_id_seq']) {
      const moved = (after.get(name) ?? 0) - (before.get(name) ?? 0);
      expect([name, moved >= 4_999_999 && moved < 5_000_010]).toEqual([name, true]);
    }
  });

  it('has its usual size when the given contribution is already in the books or lower', async () => {
    const gift = await add();
    expect((await begin(gift)).first_id).toBeGreaterThan(100_000);
    await service.database.query(`SELECT setval('contribution_id_seq', 2147483000)`);
    await expect(begin(1)).rejects.toThrow(/no room for a new epoch.*higher than 2147483000/s);
  });

  it('is refused when ids would run out, and fits when the highest contribution is given', async () => {
    await add();
    await service.database.query(`SELECT setval('person_id_seq', 2147483000)`);
    await expect(begin()).rejects.toThrow(/ids of person_id_seq have no room for a new epoch.*--ids-above/s);
    expect(await epochs()).toHaveLength(1);
    const { first_id: firstId } = await begin(5_000_000);
    expect(firstId).toBe(5_000_001);
    expect((await sequences()).get('person_id_seq')).toBe(2_147_483_323);
    await service.database.query(`SELECT setval('contribution_id_seq', 2147483000)`);
    expect((await begin(2_147_483_100)).first_id).toBe(2_147_483_101);
  });

  it.each([
    ['there is no room', `SELECT setval('person_id_seq', 2147483000)`, /no room/],
    [
      'the audit trail refuses the entry',
      `ALTER TABLE audit_entry ADD CONSTRAINT none CHECK (action <> 'database.new-epoch')`,
      /violates check constraint/,
    ],
  ])('moves no sequence when %s, however often it is tried', async (_what, damage, refusal) => {
    await add();
    await service.database.query(damage);
    const before = await sequences();
    for (let i = 0; i < 3; i++) await expect(begin()).rejects.toThrow(refusal);
    expect(await sequences()).toEqual(before);
  });

  it('affects only our own ids, not other sequences in the database', async () => {
    await add();
    await service.database.query(`
      CREATE ROLE ${STRANGER};
      CREATE TABLE receipt (number serial, pledge integer GENERATED ALWAYS AS IDENTITY (MAXVALUE 9999));
      CREATE SEQUENCE envelope MAXVALUE 9999;
      CREATE TABLE report (id serial);
      ALTER TABLE report OWNER TO ${STRANGER}`);
    const others = ['receipt_number_seq', 'receipt_pledge_seq', 'envelope', 'report_id_seq'];
    for (const name of others) await service.database.query(`SELECT nextval('${name}')`);
    try {
      await begin();
      const after = await sequences();
      for (const name of others) expect([name, after.get(name)]).toEqual([name, 1]);
      const known = await service.database.query<{ sequence: string }>('SELECT sequence FROM sequence_use()');
      expect(known.filter(({ sequence }) => others.includes(sequence))).toEqual([]);
    } finally {
      await service.database.query(`DROP TABLE report; DROP ROLE ${STRANGER}`);
    }
  });

  it('affects the ids of all our tables', async () => {
    const named = await service.database.query<{ name: string }>('SELECT name FROM books_sequences() ORDER BY 1');
    expect(named.map(({ name }) => name)).toEqual([...(await sequences()).keys()].sort());
  });
});
