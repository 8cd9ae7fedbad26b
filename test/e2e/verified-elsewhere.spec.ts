import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

let database: TestDatabase;

/** The database with this password in its URL. A server with trust authentication does not check it. */
function withPassword(password: string): TestDatabase {
  const url = new URL(database.url);
  url.password = password;
  return { ...database, connection: { url: url.toString() } };
}

/**
 * Runs `call` on a replica that is stopped afterwards. Replicas run one after the other: passport is shared by the
 * whole process, so two replicas in it would both use the database of the later one.
 */
async function onReplica<T>(call: (replica: TestApp) => Promise<T>, password = 'of the database'): Promise<T> {
  const replica = await startTestApp({ LOGIN_FAILURES_PER_MINUTE: '3' }, { database: withPassword(password) });
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

it('verified callers cannot be recognised from a copy of the database, which lacks the key', async () => {
  expect(await onReplica(statusesWhenGuessed, 'another one')).toEqual([401, 401, 401, 429, 429]);
});
