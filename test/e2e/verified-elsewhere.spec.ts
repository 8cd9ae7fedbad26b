import { createHmac, hkdfSync } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

let database: TestDatabase;

const SECRET = 'shared by all replicas of one church';

/**
 * Runs `call` on a replica that is stopped afterwards. Replicas run one after the other: passport is shared by the
 * whole process, so two replicas in it would both use the database of the later one.
 */
async function onReplica<T>(call: (replica: TestApp) => Promise<T>, secret = SECRET): Promise<T> {
  const settings = { LOGIN_FAILURES_PER_MINUTE: '3', LOGIN_SECRET: secret };
  const replica = await startTestApp(settings, { database });
  try {
    return await call(replica);
  } finally {
    await replica.stop();
  }
}

async function statusesWhenGuessed(replica: TestApp): Promise<number[]> {
  const statuses: number[] = [];
  for (let i = 0; i < 4; i++) statuses.push((await replica.add({}, ['api', 'guessed'])).status);
  statuses.push((await replica.add()).status);
  return statuses;
}

beforeAll(async () => {
  database = await createTestDatabase();
  await onReplica((replica) => replica.createUser(...replica.login, ['Developer', 'APIOnly', 'APIWrite']));
});
beforeEach(async () => {
  await database.query('TRUNCATE verified_login, login_failure');
  await onReplica((replica) => replica.add().expect(200));
});
afterAll(() => database.drop());

it('a caller verified by one replica is not locked out of another or after a restart', async () => {
  expect(await onReplica(statusesWhenGuessed)).toEqual([401, 401, 401, 429, 200]);
});

it('a verified caller may be locked out five minutes after the last call', async () => {
  const soon = await database.query<{ soon: boolean }>(
    "SELECT expires_at BETWEEN now() + interval '4 min 30 s' AND now() + interval '5 min' AS soon FROM verified_login",
  );
  expect(soon).toEqual([{ soon: true }]);
  await database.query("UPDATE verified_login SET expires_at = now() - interval '1 second'");
  expect(await onReplica(statusesWhenGuessed)).toEqual([401, 401, 401, 429, 429]);
});

it.each(['another secret, as long as the other one', ''])(
  'verified callers cannot be recognised from the database, which lacks the key (with the secret "%s")',
  async (secret) => {
    expect(await onReplica(statusesWhenGuessed, secret)).toEqual([401, 401, 401, 429, 429]);
  },
);

it('a verified caller cannot be forged by a session in the role of the service', async () => {
  const [user] = await database.query<{ hash: string }>('SELECT password_hash AS hash FROM app_user');
  await database.query('TRUNCATE verified_login');
  // All that such a session can know: the database's own password, and what the table of users contains.
  for (const known of ['', new URL(database.url).password, 'postgres']) {
    const key = Buffer.from(hkdfSync('sha256', known, '', 'offertory verified logins', 32));
    const proof = createHmac('sha256', key)
      .update(JSON.stringify(['api', 'forged']))
      .digest();
    await database.query(
      `INSERT INTO verified_login VALUES (sha256($1 || convert_to($2, 'UTF8')), now() + interval '5 min')
       ON CONFLICT DO NOTHING`,
      [proof, user?.hash],
    );
  }
  expect(await onReplica(async (replica) => (await replica.add({}, ['api', 'forged'])).status)).toBe(401);
});
