import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { migrateDatabase } from '../../src/database/index.js';
import { ensureBooksEpoch } from '../../src/database/ensure-books-epoch.js';
import { makeRoles } from '../support/database-roles.js';
import { holdLock } from '../support/held-lock.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { createTestDatabase } from '../support/test-database.js';
import { readBack } from './gift-requests.js';

interface Epoch {
  readonly number: number;
  readonly token: string | null;
  readonly reason: string;
  readonly fork_id: number;
  readonly fork_change_no: number;
  readonly first_id: number;
  readonly first_change_no: number;
}

interface Page {
  readonly contributions: readonly { readonly contributionId: number }[];
  readonly next: string;
}

let service: TestApp;

beforeEach(async () => {
  service = await startTestApp();
});
afterEach(() => service.stop());

const CHANGES = 'Contributions?updatedSince=1900-01-01&limit=500';
const page = async (path: string): Promise<Page> => (await service.get(path).expect(200)).body as Page;
const end = async (): Promise<{ id: string; change: string }> => ({
  id: (await page('Contributions?limit=500')).next,
  change: (await page(CHANGES)).next,
});
const add = async (fields: object = {}): Promise<number> =>
  ((await service.add(fields).expect(200)).body as { ContributionId: number }).ContributionId;
const epochs = (): Promise<Epoch[]> => service.database.query<Epoch>('SELECT * FROM books_epoch ORDER BY number');
const begin = async (idsAbove: number | null = null): Promise<Epoch> => {
  const [epoch] = await service.database.query<Epoch>(`SELECT * FROM begin_books_epoch('a test', $1, 'a test')`, [
    idsAbove,
  ]);
  if (epoch === undefined) throw new Error('No epoch was begun');
  return epoch;
};
const refused = async (after: string): Promise<string> => {
  const problem = (await service.get(`Contributions?after=${after}`).expect(400)).body as {
    code: string;
    detail: string;
    errors: { field: string }[];
  };
  expect(problem).toMatchObject({ code: 'invalid_request', errors: [{ field: 'after' }] });
  return problem.detail;
};

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

  it('is the highest number that can be seen, whatever the sequences have given away and whatever was sent', async () => {
    const gift = await add();
    const before = await end();
    const lost = await holdLock(service.database.url, INSERT, [gift]);
    await lost.rollBack();
    expect(await end()).toEqual(before);
    // A version before this one would have called these its ends.
    expect((await page(`Contributions?after=id.${gift + 1}`)).next).toBe(before.id);
    expect((await page('Contributions?after=change.2')).next).toBe(before.change);
  });

  it('does not wait for the caller’s own gifts', async () => {
    const other = await service.createUser('another processor', 'correct horse battery', [
      'APIOnly',
      'Developer',
      'APIWrite',
    ]);
    const gift = await add();
    const answer = await service.get('Contributions', other).expect(200);
    expect(answer.body).toMatchObject({ contributions: [], next: `id.${gift}` });
  });
});

describe('a new epoch', () => {
  it('refuses positions from after its fork, and lets the others go on', async () => {
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

  it('says how a reader of changes starts again, and it then has all', async () => {
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

  it('ends the fork below a number whose transaction was under way in that state', async () => {
    const first = await add();
    const late = await holdLock(service.database.url, INSERT, [first]);
    const second = await add();
    // As a backup sees it that is made at this moment.
    const epoch = await begin();
    await late.release();
    expect(epoch).toMatchObject({ fork_id: first, fork_change_no: 1 });
    await refused(`id.${second}`);
    await refused('change.3');
    expect((await page('Contributions?after=change.1')).contributions).toHaveLength(2);
  });

  it('does not take what a change left behind, or what an earlier epoch left out, for such a number', async () => {
    const gift = await add();
    await service.reverse(`${gift}/x`).expect(200);
    const { fork_change_no: forkChange } = await begin();
    expect(forkChange).toBe(3);
    const later = await add();
    expect(await begin()).toMatchObject({ fork_id: later, fork_change_no: expect.any(Number) as unknown });
    expect((await epochs()).at(-1)?.fork_change_no).toBe((await epochs()).at(1)?.first_change_no);
  });

  it('does not take a number that is missing for longer for one', async () => {
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

  it('moves all ids that callers are shown', async () => {
    const gift = await add();
    await service.reverse(`${gift}/x`).expect(200);
    await begin();
    const { peopleId, bundleId } = await readBack(service, await add(), service.login);
    expect(peopleId).toBeGreaterThan(100_000);
    // The open bundle of before takes the gift; the next one that is made is above the gap as well.
    expect(bundleId).toBe(1);
    const sequences = await service.database.query<{ name: string; last: number }>(
      `SELECT sequencename AS name, last_value::integer AS last FROM pg_sequences
       WHERE schemaname = 'public' AND data_type <> 'smallint'::regtype`,
    );
    expect(sequences.length).toBeGreaterThanOrEqual(9);
    for (const { name, last } of sequences) expect([name, last >= 100_000]).toEqual([name, true]);
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

  it('is ten times what was recorded per day, and gaps of before do not count', async () => {
    await add();
    await fill(1, 20_000);
    const first = await begin();
    expect(first.first_id - first.fork_id).toBeGreaterThanOrEqual(200_010);
    expect(first.first_id - first.fork_id).toBeLessThan(210_000);
    await add();
    const second = await begin();
    expect(second.first_id - second.fork_id).toBeLessThan(210_000);
  });

  it('grows with the time since the newest gift', async () => {
    await add();
    await service.database.query(`ALTER TABLE contribution DISABLE TRIGGER USER;
      UPDATE contribution SET updated_at = updated_at - interval '10 days';
      ALTER TABLE contribution ENABLE TRIGGER USER`);
    const { first_id: firstId } = await begin();
    expect(firstId).toBeGreaterThanOrEqual(100_000 + 864_000);
    expect(firstId).toBeLessThan(100_000 + 864_000 + 1_000);
  });

  it('ends above the id that is named', async () => {
    await add();
    expect((await begin(5_000_000)).first_id).toBe(5_000_001);
    expect(await add()).toBe(5_000_001);
  });

  it('is refused where ids would run out, and never wraps; the highest id, where it is named, is enough', async () => {
    await add();
    await service.database.query(`SELECT setval('person_id_seq', 2147483000)`);
    await expect(begin()).rejects.toThrow(/no room for a new epoch.*--ids-above/s);
    expect(await epochs()).toHaveLength(1);
    const { first_id: firstId } = await begin(2_147_483_100);
    expect(firstId).toBe(2_147_483_101);
    const [person] = await service.database.query<{ last: string }>('SELECT last_value AS last FROM person_id_seq');
    expect(person?.last).toBe('2147483100');
  });
});

describe('where the books are', () => {
  const ensure = async (url = service.database.url): Promise<void> => {
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      await ensureBooksEpoch(client);
    } finally {
      await client.end();
    }
  };

  it.each([
    ['timeline', '000000FF', /Another server took over/],
    ['server', '1', /restored into another database/],
    ['database', '1', /restored into another database/],
    ['table', '1', /restored into another database/],
    ['files', '1', /files of the database were restored/],
  ])('is recognised by its %s; of many connections one begins the epoch', async (key, value, reason) => {
    await add();
    await ensure();
    expect(await epochs()).toHaveLength(1);
    await service.database.query(
      'UPDATE books_epoch SET identity = identity || jsonb_build_object($1::text, $2::text)',
      [key, value],
    );
    await Promise.all(Array.from({ length: 8 }, () => ensure()));
    expect(await epochs()).toMatchObject([{}, { number: 2, reason: expect.stringMatching(reason) as unknown }]);
    const trail = `SELECT actor, details ->> 'reason' AS reason FROM audit_entry WHERE action = 'database.new-epoch'`;
    expect(await service.database.query(trail)).toEqual([
      { actor: 'service', reason: expect.stringMatching(reason) as unknown },
    ]);
  });

  it('is not elsewhere because less of it may be looked up, and what is new is noted', async () => {
    await add();
    await service.database.query(`UPDATE books_epoch SET identity = identity - 'server' || '{"other": "1"}'`);
    await ensure();
    expect(await epochs()).toMatchObject([{ identity: { other: '1', server: expect.any(String) as unknown } }]);
  });

  it('is known by the note of a restore, in books from before epochs too', async () => {
    const gift = await add();
    const [row] = await service.database.query<{ name: string }>('SELECT current_database() AS name');
    const note = (setting: string): Promise<unknown> =>
      service.database.query(`ALTER DATABASE ${row?.name ?? ''} SET offertory.${setting}`);
    await service.database.query('UPDATE books_epoch SET identity = NULL');
    await note(`restored = '2026-11-29T030000Z'`);
    await note(`ids_above = '700000'`);
    await ensure();
    await ensure();
    expect(await epochs()).toMatchObject([{}, { fork_id: gift, first_id: 700_001 }]);
  });

  it('a service that may do little can ask, and may not begin an epoch or move a sequence by itself', async () => {
    const database = await createTestDatabase({ empty: true });
    const roles = await makeRoles(database);
    await migrateDatabase({ url: roles.ownerUrl }, 'a test', { url: roles.serviceUrl });
    await ensure(roles.serviceUrl);
    await database.query(`UPDATE books_epoch SET identity = identity || '{"timeline": "000000FF"}'`);
    await ensure(roles.serviceUrl);
    expect(await database.query('SELECT FROM books_epoch')).toHaveLength(2);
    const client = new Client({ connectionString: roles.serviceUrl });
    await client.connect();
    for (const statement of [
      `SELECT begin_books_epoch('mine', 1000000, 'me')`,
      'SELECT move_sequences(1, 1000000)',
      `SELECT setval('contribution_id_seq', 1000000)`,
      `UPDATE books_epoch SET fork_id = 0`,
    ]) {
      await expect(client.query(statement)).rejects.toThrow(/permission denied/);
    }
    await client.end();
    await database.drop();
    await roles.drop();
  });
});
