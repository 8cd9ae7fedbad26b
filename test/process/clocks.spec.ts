import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, Client } from '../support/client.js';
import { type MailServer, startMailServer } from '../support/mail-server.js';
import { createApiUser, type ServiceProcess, startServiceProcess } from '../support/service-process.js';
import { gift } from '../support/test-app.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { until } from '../support/until.js';

const LIMIT = 3;
const PASSWORD = 'correct horse battery';
const SHIFTED_CLOCK = new URL('../support/shifted-clock.mjs', import.meta.url).href;

/** The hours by which the clock of each replica is wrong. */
const CLOCKS = { right: 0, ahead: 25, behind: -25 } as const;
type Clock = keyof typeof CLOCKS;
const ALL = Object.keys(CLOCKS) as Clock[];

let database: TestDatabase;
let mails: MailServer;
let replicas: Record<Clock, ServiceProcess>;
/** A time zone in which it is about noon, so that the whole run takes place on one day. */
let zone: string;

function wrongBy(hours: number): Record<string, string> {
  return { NODE_OPTIONS: `--import ${SHIFTED_CLOCK}`, TEST_CLOCK_SHIFT_HOURS: String(hours) };
}

beforeAll(async () => {
  database = await createTestDatabase();
  mails = await startMailServer();
  const [{ hour } = { hour: 0 }] = await database.query<{ hour: number }>(
    `SELECT extract(hour FROM now() AT TIME ZONE 'UTC')::integer AS hour`,
  );
  // POSIX sign: Etc/GMT+5 is five hours behind UTC.
  zone = hour >= 12 ? `Etc/GMT+${hour - 12}` : `Etc/GMT-${12 - hour}`;
  const variables = {
    DATABASE_URL: database.url,
    CHURCH_TIME_ZONE: zone,
    LOGIN_FAILURES_PER_MINUTE: String(LIMIT),
    SMTP_URL: mails.url,
    FINANCE_EMAILS: 'finance@example.org',
  };
  const start = (hours: number): Promise<ServiceProcess> => startServiceProcess({ ...variables, ...wrongBy(hours) });
  const [right, ahead, behind] = await Promise.all([start(CLOCKS.right), start(CLOCKS.ahead), start(CLOCKS.behind)]);
  replicas = { right, ahead, behind };
  await createApiUser({ DATABASE_URL: database.url }, PASSWORD);
});
afterAll(async () => {
  for (const replica of Object.values(replicas)) expect(await replica.end('SIGTERM')).toBe(0);
  await mails.stop();
  await database.drop();
});

/** Creates another user with the password of "api". */
async function createUser(name: string): Promise<void> {
  await database.query(
    `WITH added AS (
       INSERT INTO app_user (username, password_hash) SELECT $1, password_hash FROM app_user WHERE username = 'api'
       RETURNING id)
     INSERT INTO app_user_role (user_id, role_id)
     SELECT added.id, r.role_id FROM added, app_user_role r JOIN app_user u ON u.id = r.user_id WHERE u.username = 'api'`,
    [name],
  );
}

const at = (clock: Clock, name = 'api', password = PASSWORD): Client => new Client(replicas[clock].url, name, password);

/** The database's current day plus `later` days, in church time. */
async function day(later = 0): Promise<string> {
  const [row] = await database.query<{ day: string }>(
    `SELECT ((now() AT TIME ZONE $1)::date + $2::integer)::text AS day`,
    [zone, later],
  );
  return row?.day ?? '';
}

let count = 0;
const newGift = (fields: object = {}): Record<string, unknown> => gift(`clock${++count}`, fields);

describe('replicas whose clocks are 25 hours wrong', () => {
  it('log with wrong clocks', () => {
    for (const clock of ['ahead', 'behind'] as const) {
      const line =
        replicas[clock]
          .output()
          .split('\n')
          .find((text) => text.includes('"timestamp"')) ?? '';
      const { timestamp } = JSON.parse(line) as { timestamp: number | string };
      expect(Math.round((new Date(timestamp).getTime() - Date.now()) / 3_600_000)).toBe(CLOCKS[clock]);
    }
  });

  it('give gifts without Date the day and time of the database, and put them into one bundle', async () => {
    const ids: unknown[] = [];
    for (const clock of ALL) {
      const { status, body } = await at(clock).add(newGift());
      expect(status).toBe(200);
      ids.push(body['ContributionId']);
    }
    const gifts = await database.query<{ day: string; of_bundle: string; apart: number }>(
      `SELECT c.day::text AS day, b.day::text AS of_bundle,
         abs(extract(epoch FROM c.given_at - c.created_at))::float8 AS apart
       FROM contribution c JOIN bundle b ON b.id = c.bundle_id WHERE c.id = ANY ($1)`,
      [ids],
    );
    const today = await day();
    expect(gifts.map((row) => [row.day, row.of_bundle])).toEqual(ALL.map(() => [today, today]));
    for (const { apart } of gifts) expect(apart).toBeLessThan(2);
    const bundles = await database.query('SELECT DISTINCT bundle_id FROM contribution WHERE id = ANY ($1)', [ids]);
    expect(bundles).toHaveLength(1);
  });

  it.each(ALL)('accept dates up to the end of the database’s tomorrow: %s', async (clock) => {
    const accepted = async (Date: string): Promise<number> => (await at(clock).add(newGift({ Date }))).status;
    expect(await accepted(await day(0))).toBe(200);
    expect(await accepted(`${await day(1)}T23:59:59`)).toBe(200);
    expect(await accepted(await day(2))).toBe(400);
    expect(await accepted(await day(-2))).toBe(200);
  });

  it.each(ALL)('reverse a gift at the database’s time, and notify Finance at once: %s', async (clock) => {
    const { body } = await at('right').add(newGift());
    const id = Number(body['ContributionId']);
    const before = mails.mails.length;
    expect((await at(clock).reverse(id)).status).toBe(200);
    const [entry] = await database.query<{ day: string; apart: number }>(
      `SELECT day::text AS day, abs(extract(epoch FROM given_at - now()))::float8 AS apart
       FROM contribution WHERE reverses_id = $1`,
      [id],
    );
    expect(entry?.day).toBe(await day());
    expect(entry?.apart).toBeLessThan(10);
    await until(() => mails.mails.length > before, 10_000);
    const [{ now } = { now: new Date(0) }] = await database.query<{ now: Date }>('SELECT now() AS now');
    const sent = mails.mails.at(-1)?.date?.getTime() ?? 0;
    // The Date header has whole seconds.
    expect(Math.abs(sent - now.getTime())).toBeLessThan(15_000);
  });

  it('replay the first answer to a repeated call, whichever replica gets it', async () => {
    const fields = newGift();
    const first = await at('ahead').add(fields, 'one gift');
    for (const clock of ALL) {
      const { body, headers } = await at(clock).add(fields, 'one gift');
      expect([body, headers.get('idempotency-replayed')]).toEqual([first.body, 'true']);
    }
  });
});

describe('wrong passwords', () => {
  /** Moves the counts in the database back by a minute. */
  const letMinutePass = (): Promise<unknown> => database.query('UPDATE login_failure SET expire = expire - 60000');

  it('are counted together, whatever the clocks, with a correct Retry-After', async () => {
    await createUser('guessed');
    const guess = (i: number): Promise<Answer> =>
      at(ALL[i % ALL.length] ?? 'right', 'guessed', `guess number ${i}`).read(1);
    const statuses = [];
    for (let i = 0; i < LIMIT; i++) statuses.push((await guess(i)).status);
    expect(statuses).toEqual([401, 401, 401]);
    for (let i = LIMIT; i < 3 * LIMIT; i++) {
      const { status, headers } = await guess(i);
      expect(status).toBe(429);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(30);
      expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60);
    }
  });

  it.each(ALL)('lock out a correct password for at most a minute when sent to the replica %s', async (clock) => {
    const name = `victim-of-${clock}`;
    await createUser(name);
    for (let i = 0; i < LIMIT; i++) expect((await at(clock, name, `guess number ${i}`).read(1)).status).toBe(401);
    const [latest] = await database.query<{ left: number }>(
      'SELECT (max(expire) - extract(epoch FROM clock_timestamp()) * 1000)::float8 AS left FROM login_failure',
    );
    expect(latest?.left).toBeGreaterThan(0);
    expect(latest?.left).toBeLessThanOrEqual(60_000);
    await letMinutePass();
    for (const other of ALL) expect((await at(other, name).add(newGift())).status).toBe(200);
  });

  it('lock out for a minute at most after a replica with a clock far ahead has counted them', async () => {
    await createUser('noted');
    expect((await at('right', 'noted', 'guess').read(1)).status).toBe(401);
    // As an earlier release counted on a machine whose clock is 25 hours ahead.
    await database.query('UPDATE login_failure SET points = 1000, expire = expire + 25 * 3600 * 1000');
    const { status, headers } = await at('ahead', 'noted').read(1);
    expect([status, Number(headers.get('retry-after')) <= 60]).toEqual([429, true]);
    await letMinutePass();
    expect((await at('behind', 'noted').add(newGift())).status).toBe(200);
  });
});
