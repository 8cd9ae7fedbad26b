import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { UserAccounts } from '../../src/auth/index.js';
import { logInToConsole, newVisitor, sendLogin, statusesOf } from '../support/console.js';
import { until } from '../support/until.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const PASSWORD = 'correct horse battery';

let service: TestApp;
let users: UserAccounts;

beforeAll(async () => {
  service = await startTestApp({}, { workers: true });
  users = service.app.get(UserAccounts);
  // The password of this user is verified, so a gift needs no check.
  await service.add({}).expect(200);
});
afterAll(() => service.stop());

/** The session opens nothing: every answer leads to the login. */
const ENDED = [401, 401, 401];

describe('a session ends on the next click', () => {
  it('after user disable', async () => {
    const { login, visitor } = await newVisitor(service);
    await visitor.get('/console').expect(200);
    await users.setActive({ username: login[0], active: false });
    expect(await statusesOf(visitor)).toEqual(ENDED);
    await users.setActive({ username: login[0], active: true });
    await visitor.get('/console').expect(200);
  });

  it('after the password was changed at the command line', async () => {
    const { login, visitor } = await newVisitor(service);
    await users.setPassword({ username: login[0], password: 'another long password' });
    expect(await statusesOf(visitor)).toEqual(ENDED);
    // The hash is another one, although the password is the old one again.
    await users.setPassword({ username: login[0], password: PASSWORD });
    expect(await statusesOf(visitor)).toEqual(ENDED);
  });

  it('after another session has ended it', async () => {
    const { login, visitor } = await newVisitor(service);
    const other = await logInToConsole(service, login);
    const { text } = await other.get('/console/account').expect(200);
    const [id = ''] = [...text.matchAll(/account\/sessions\/(\d+)\/end/g)].map(([, found = '']) => found);
    await other.post(`/console/account/sessions/${id}/end`).expect(303);
    expect(await statusesOf(visitor)).toEqual(ENDED);
    await other.get('/console').expect(200);
  });

  it.each([
    ['30 minutes without a click', `last_used_at = now() - interval '30 minutes 1 second'`],
    ['12 hours, however often somebody clicks', `created_at = now() - interval '12 hours 1 second'`],
  ])('after %s', async (_what, change) => {
    const { visitor } = await newVisitor(service);
    await service.database.query(`UPDATE session SET ${change} WHERE id = (SELECT max(id) FROM session)`);
    expect(await statusesOf(visitor)).toEqual(ENDED);
  });

  it('but not before', async () => {
    const { visitor } = await newVisitor(service);
    await service.database.query(
      `UPDATE session SET last_used_at = now() - interval '29 minutes', created_at = now() - interval '11 hours 59 minutes'
       WHERE id = (SELECT max(id) FROM session)`,
    );
    await visitor.get('/console').expect(200);
    // The click counts.
    await until(async () => {
      const [row] = await service.database.query<{ fresh: boolean }>(
        `SELECT last_used_at > now() - interval '1 minute' AS fresh FROM session ORDER BY id DESC LIMIT 1`,
      );
      return row?.fresh === true;
    });
  });

  it('in part after user revoke: the pages of the role are refused, and say so', async () => {
    const { login, visitor } = await newVisitor(service);
    await users.revoke({ username: login[0], roles: ['Finance'] });
    const { text } = await visitor.get('/console').expect(403);
    expect(text).toContain('<h1>You may not see or do this</h1>');
    expect(text).not.toContain('data-hotkey="g h"');
    await visitor.post('/console/account/sessions/1/end').expect(403);
    await sendLogin(service, login).expect(403);
  });

  it('and expired ones are deleted, of whatever user', async () => {
    await newVisitor(service);
    const { visitor } = await newVisitor(service);
    await service.database.query(`
      UPDATE session SET last_used_at = now() - interval '31 minutes' WHERE id < (SELECT max(id) FROM session);
      UPDATE job SET due_at = now() WHERE queue = 'purge-sessions'`);
    await until(async () => (await service.database.query('SELECT FROM session')).length === 1);
    await visitor.get('/console').expect(200);
  });
});

it('a session uses up no connection of gifts: many clicks of one person leave room for others', async () => {
  const { visitor } = await newVisitor(service);
  const clicks = Array.from({ length: 40 }, () => visitor.get('/console/account'));
  const gift = await service.add({});
  expect(gift.status).toBe(200);
  expect((await Promise.all(clicks)).map(({ status }) => status)).toEqual(Array.from({ length: 40 }, () => 200));
});
