import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type supertest from 'supertest';
import { entriesOf, flashOf, logInToConsole, newVisitor, originOf, sendLogin, statusesOf } from '../support/console.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const PASSWORD = 'correct horse battery';

let service: TestApp;

beforeAll(async () => {
  service = await startTestApp({}, { workers: true });
});
afterAll(() => service.stop());

/** The session opens nothing: every answer leads to the login. */
const ENDED = [401, 401, 401];

const same = (newPassword: string): Record<string, string> => ({ newPassword, repeatedPassword: newPassword });

describe('the account page', () => {
  it('changes the password, and ends the other sessions of the user', async () => {
    const { login, visitor } = await newVisitor(service);
    const other = await logInToConsole(service, login);
    const { headers } = await visitor
      .post('/console/account/password', {
        currentPassword: PASSWORD,
        newPassword: 'a new and long password',
        repeatedPassword: 'a new and long password',
      })
      .expect(303);
    const next = new URL(headers['location'] ?? '', `${originOf(service)}/console/account/password`);
    expect((await visitor.get(next.pathname + next.search).expect(200)).text).toContain('Your password was changed.');
    expect(await statusesOf(other)).toEqual(ENDED);
    await sendLogin(service, login).expect(403);
    await sendLogin(service, [login[0], 'a new and long password']).expect(303);
    const changes = (await entriesOf(service, login)).filter(
      ({ action }) => action.startsWith('user.') || action.startsWith('database.'),
    );
    expect(changes).toEqual([
      { actor: login[0], via: 'page', action: 'user.set-password', subject: `user ${login[0]}`, details: {} },
    ]);
  });

  it.each([
    ['a wrong current password', { currentPassword: 'wrong password' }, 'Current password is wrong.'],
    ['no current password', { currentPassword: '' }, 'Current password is wrong.'],
    [
      'a new password that is too short',
      { newPassword: 'short', repeatedPassword: 'short' },
      'New password must have at least 8 characters.',
    ],
    [
      'a new password that begins like a token',
      { newPassword: `offt_${'a'.repeat(43)}`, repeatedPassword: `offt_${'a'.repeat(43)}` },
      'New password must not begin with offt_',
    ],
    ['the current password', same(PASSWORD), 'New password must be another one than the current password.'],
    ['a password that many people use', same('Passw0rd'), 'New password must not be one that many people use'],
    [
      'a typing error',
      { repeatedPassword: 'another password' },
      'New password again is not the same as the new password.',
    ],
  ])('refuses %s, and changes nothing', async (_what, fields, message) => {
    const { login, visitor } = await newVisitor(service);
    const other = await logInToConsole(service, login);
    const sent = { currentPassword: PASSWORD, newPassword: 'a new password', repeatedPassword: 'a new password' };
    const { text } = await visitor.post('/console/account/password', { ...sent, ...fields }).expect(400);
    expect(text).toContain(message);
    expect(text.match(/aria-invalid="true"/g)).toHaveLength(1);
    expect(text).not.toContain('a new password');
    await other.get('/console').expect(200);
    await sendLogin(service, login).expect(303);
  });

  it('counts wrong current passwords as failed logins', async () => {
    const strict = await startTestApp({ LOGIN_FAILURES_PER_MINUTE: '2' });
    try {
      const visitor = await logInToConsole(strict, await strict.createUser('treasurer', PASSWORD, ['Finance']));
      const guess = (): supertest.Test =>
        visitor.post('/console/account/password', {
          currentPassword: 'a guess',
          newPassword: 'a new password',
          repeatedPassword: 'a new password',
        });
      for (let i = 0; i < 2; i++) expect((await guess().expect(400)).text).toContain('Current password is wrong.');
      expect((await guess()).text).toContain('Too many failed logins.');
    } finally {
      await strict.stop();
    }
  });

  it('refuses the user name as a password', async () => {
    const visitor = await logInToConsole(service, await service.createUser('Treasurér', PASSWORD, ['Finance']));
    const { text } = await visitor
      .post('/console/account/password', { currentPassword: PASSWORD, ...same('treasurér') })
      .expect(400);
    expect(text).toContain('New password must not be the user name.');
  });

  it('ends all other sessions at once', async () => {
    const { login, visitor } = await newVisitor(service);
    expect((await visitor.get('/console/account').expect(200)).text).not.toContain('End all other sessions');
    const others = [await logInToConsole(service, login), await logInToConsole(service, login)];
    const { visitor: stranger } = await newVisitor(service);
    expect((await visitor.get('/console/account').expect(200)).text).toContain('End all other sessions');
    const { headers } = await visitor.post('/console/account/sessions/end-others').expect(303);
    expect(flashOf(headers)).toBe('Your 2 other sessions were ended.');
    for (const other of others) expect(await statusesOf(other)).toEqual(ENDED);
    for (const still of [visitor, stranger]) await still.get('/console').expect(200);
    const ends = (await entriesOf(service, login)).filter(({ action }) => action === 'session.end');
    expect(ends).toHaveLength(2);
  });

  it('lists one’s own sessions only, and ends no other', async () => {
    const { visitor } = await newVisitor(service);
    const { login, visitor: other } = await newVisitor(service);
    const [session] = await service.database.query<{ id: number }>('SELECT max(id) AS id FROM session');
    const { text } = await visitor.get('/console/account').expect(200);
    expect(text.match(/This session/g)).toHaveLength(1);
    expect(text).not.toContain(`sessions/${session?.id ?? 0}/end`);
    await visitor.post(`/console/account/sessions/${session?.id ?? 0}/end`).expect(303);
    await other.get('/console').expect(200);
    expect((await entriesOf(service, login)).map(({ action }) => action)).toEqual(['session.begin']);
  });
});
