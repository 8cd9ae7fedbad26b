import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type supertest from 'supertest';
import { Tokens, UserAccounts } from '../../src/auth/index.js';
import { cookieOf, entriesOf, newVisitor, originOf, sendLogin, statusesOf } from '../support/console.js';
import { until } from '../support/until.js';
import { type Login, startTestApp, type TestApp } from '../support/test-app.js';

const PASSWORD = 'correct horse battery';

let service: TestApp;
let users: UserAccounts;

beforeAll(async () => {
  service = await startTestApp({}, { workers: true });
  users = service.app.get(UserAccounts);
});
afterAll(() => service.stop());

let count = 0;
const newUser = (roles: readonly string[] = ['Finance']): Promise<Login> =>
  service.createUser(`clerk ${++count}`, PASSWORD, roles);

/** The session opens nothing: every answer leads to the login. */
const ENDED = [401, 401, 401];

describe('a login', () => {
  it('sets a cookie that only this service on this machine gets, and no script', async () => {
    const { headers } = await sendLogin(service, await newUser()).expect(303);
    expect(headers['set-cookie']).toEqual([
      expect.stringMatching(/^offertory=[\w-]{43}; Path=\/console; HttpOnly; SameSite=Lax$/),
    ]);
    expect(headers['location']).toBe('../console');
  });

  it('leads to the page that was asked for, and never to another site', async () => {
    const login = await newUser();
    const asked = await service.http().get('/console/account?x=a%40b').expect(303);
    const location = new URL(asked.headers['location'] ?? '', `${originOf(service)}/console/account`);
    expect(location.searchParams.get('next')).toBe('/console/account?x=a%40b');
    const { text } = await service
      .http()
      .get(location.pathname + location.search)
      .expect(200);
    expect(text).toContain('<input type="hidden" name="next" value="/console/account?x=a%40b"/>');
    const followed = await sendLogin(service, login, { next: '/console/account?x=a%40b' }).expect(303);
    expect(followed.headers['location']).toBe('../console/account?x=a%40b');
    for (const next of ['https://evil.example/', '//evil.example', '/\\evil.example', '/Api/Bundles']) {
      const { headers } = await sendLogin(service, login, { next }).expect(303);
      expect([next, headers['location']]).toEqual([next, '../console']);
      const page = await service
        .http()
        .get(`/console/login?next=${encodeURIComponent(next)}`)
        .expect(200);
      expect(page.text).not.toContain('name="next"');
    }
  });

  it('lets password managers fill its fields', async () => {
    const { text } = await service.http().get('/console/login').expect(200);
    expect(text).toContain('autocomplete="username"');
    expect(text).toContain('autocomplete="current-password"');
  });

  it('is recorded with the user and the address, and so is its end', async () => {
    const { login, visitor } = await newVisitor(service);
    const { headers } = await visitor.post('/console/logout').expect(303);
    expect(headers['location']).toBe('../console/login?loggedOut=1');
    expect(headers['set-cookie']).toEqual([
      expect.stringMatching(/^offertory=; Path=\/console; Expires=Thu, 01 Jan 1970/),
    ]);
    const session = expect.stringMatching(/^session \d+$/);
    expect(await entriesOf(service, login)).toEqual([
      { actor: login[0], via: 'page', action: 'session.begin', subject: session, details: { from: '127.0.0.1' } },
      { actor: login[0], via: 'page', action: 'session.end', subject: session, details: {} },
    ]);
    expect(await statusesOf(visitor)).toEqual(ENDED);
    expect((await service.http().get('/console/login?loggedOut=1')).text).toContain('You are logged out.');
  });

  it('says that the session has ended to a browser that still has its cookie, and to no other', async () => {
    const { login, visitor } = await newVisitor(service);
    await service.database.query('DELETE FROM session WHERE user_id = (SELECT id FROM app_user WHERE username = $1)', [
      login[0],
    ]);
    const asked = await visitor.get('/console/gifts').expect(303);
    expect(asked.headers['location']).toContain('login?next=');
    expect((await visitor.get('/console/login').expect(200)).text).toContain('Your session has ended. Log in again.');
    expect((await service.http().get('/console/login').expect(200)).text).not.toContain('Your session has ended');
  });

  it('stores the digest of the token, and not the token', async () => {
    const { visitor } = await newVisitor(service);
    const token = visitor.cookie.replace('offertory=', '');
    const [row] = await service.database.query<{ same: boolean; text: string }>(
      `SELECT digest = sha256(convert_to($1, 'UTF8')) AS same, to_jsonb(s)::text AS text FROM session s
       ORDER BY id DESC LIMIT 1`,
      [token],
    );
    expect(row?.same).toBe(true);
    expect(row?.text).not.toContain(token);
  });

  it('begins a new session each time, and ends the one before in the same browser', async () => {
    const { login, visitor } = await newVisitor(service);
    const again = await sendLogin(service, login).set('Cookie', visitor.cookie).expect(303);
    expect(cookieOf(again)).toMatch(/^offertory=/);
    expect(cookieOf(again)).not.toBe(visitor.cookie);
    expect(await statusesOf(visitor)).toEqual(ENDED);
    await service
      .http()
      .get('/console')
      .set('Cookie', cookieOf(again) ?? '')
      .expect(200);
    // A token that somebody has planted in the browser is not used.
    const planted = `offertory=${'a'.repeat(43)}`;
    expect(cookieOf(await sendLogin(service, login).set('Cookie', planted).expect(303))).not.toBe(planted);
  });

  it('is not asked for again by somebody who has logged in', async () => {
    const { visitor } = await newVisitor(service);
    const { headers } = await visitor.get('/console/login?next=/console/account').expect(303);
    expect(headers['location']).toBe('../console/account');
  });
});

describe('a login is refused', () => {
  const refusedText = async (login: Login): Promise<string> => {
    const answer = await sendLogin(service, login).expect(403);
    expect(answer.headers).not.toHaveProperty('set-cookie');
    expect(answer.text).toContain('The user name or the password is wrong.');
    return answer.text.replaceAll(login[0], 'NAME');
  };

  it('with the same answer for an unknown user, a wrong password, a disabled user, and one without a role of the console', async () => {
    const [known] = await newUser();
    const disabled = await newUser();
    await users.setActive({ username: disabled[0], active: false });
    const answers = [
      await refusedText(['nobody', PASSWORD]),
      await refusedText([known, 'wrong password']),
      await refusedText(disabled),
      await refusedText(await newUser(['Developer', 'APIOnly', 'APIWrite'])),
      await refusedText(await newUser([])),
      await refusedText([known, `offt_${'a'.repeat(43)}`]),
      await refusedText([known, '']),
    ];
    expect(new Set(answers).size).toBe(1);
  });

  it('for a token of the user, which is for programs', async () => {
    const [username] = await newUser();
    const { token } = await service.app.get(Tokens).create(username);
    await service.get('Bundles', [username, token]).expect(200);
    await refusedText([username, token]);
  });

  it('and recorded for an existing user, once in a while, without what was typed', async () => {
    const login = await newUser();
    for (let i = 0; i < 3; i++) await refusedText([login[0], 'wrong password']);
    await refusedText(['my secret password', 'x']);
    await until(async () => (await entriesOf(service, login)).length > 0);
    expect(await entriesOf(service, login)).toEqual([
      expect.objectContaining({
        actor: expect.stringMatching(/^service: /),
        via: 'service',
        action: 'session.refused',
        subject: `user ${login[0]}`,
        details: { from: '127.0.0.1' },
      }),
    ]);
    const [unknown] = await service.database.query<{ n: number }>(
      `SELECT count(*)::integer AS n FROM audit_entry WHERE to_jsonb(audit_entry)::text LIKE '%my secret password%'`,
    );
    expect(unknown?.n).toBe(0);
  });

  it('after too many failures, as with HTTP Basic, and then says when to try again', async () => {
    const strict = await startTestApp({ LOGIN_FAILURES_PER_MINUTE: '3' });
    try {
      const login = await strict.createUser('treasurer', PASSWORD, ['Finance']);
      const wrong = (): supertest.Test => sendLogin(strict, ['treasurer', 'wrong password']);
      await wrong().expect(403);
      await strict.get('Bundles', ['treasurer', 'wrong password']).expect(401);
      await wrong().expect(403);
      for (const attempt of [wrong(), sendLogin(strict, login)]) {
        const { status, headers, text } = await attempt;
        expect([status, headers['set-cookie']]).toEqual([429, undefined]);
        expect(Number(headers['retry-after'])).toBeGreaterThan(0);
        expect(text).toMatch(/Too many failed logins\. Try again in \d+ seconds\./);
        expect(text).toContain('value="treasurer"');
      }
      await strict.get('Bundles', login).expect(429);
    } finally {
      await strict.stop();
    }
  });
});
