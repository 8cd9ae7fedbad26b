import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type supertest from 'supertest';
import { type ConsoleVisitor, cookieOf, newVisitor, originOf, sendLogin } from '../support/console.js';
import { type Login, startTestApp, type TestApp } from '../support/test-app.js';

const PASSWORD = 'correct horse battery';

let service: TestApp;

beforeAll(async () => {
  service = await startTestApp({}, { workers: true });
});
afterAll(() => service.stop());

let count = 0;
const newUser = (): Promise<Login> => service.createUser(`clerk ${++count}`, PASSWORD, ['Finance']);

describe('a form is refused', () => {
  const send = (visitor: ConsoleVisitor, headers: Record<string, string>, fields: object): supertest.Test =>
    service
      .http()
      .post('/console/logout')
      .set({ Cookie: visitor.cookie, ...headers })
      .type('form')
      .send(fields);

  it.each([
    ['from another origin', { Origin: 'https://evil.example' }],
    ['from another port of this machine', { Origin: 'http://127.0.0.1:1' }],
    ['from a page without an origin', { Origin: 'null' }],
    ['without an origin', {}],
    ['from another site, as Fetch Metadata says', { 'Sec-Fetch-Site': 'cross-site', Origin: 'own' }],
    ['from another host of the site, as Fetch Metadata says', { 'Sec-Fetch-Site': 'same-site', Origin: 'own' }],
  ])('%s, although it has the cookie and the form token', async (_what, sent: Record<string, string>) => {
    const { visitor } = await newVisitor(service);
    const headers = { ...sent, ...(sent['Origin'] === 'own' && { Origin: originOf(service) }) };
    const { text, type } = await send(visitor, headers, { formToken: visitor.formToken }).expect(403);
    expect([type, text]).toEqual(['text/html', expect.stringContaining('<h1>You may not see or do this</h1>')]);
    await visitor.get('/console').expect(200);
  });

  it('without the form token, with that of another session, and with two', async () => {
    const { visitor } = await newVisitor(service);
    const { visitor: other } = await newVisitor(service);
    const origin = { Origin: originOf(service) };
    for (const fields of [
      {},
      { formToken: '' },
      { formToken: other.formToken },
      { formToken: [visitor.formToken, visitor.formToken] },
    ]) {
      const { text } = await send(visitor, origin, fields).expect(403);
      expect(text).toContain('This form is from another session.');
    }
    await visitor.get('/console').expect(200);
    await send(visitor, origin, { formToken: visitor.formToken }).expect(303);
  });

  it('at the login, from another origin or without one', async () => {
    const login = await newUser();
    for (const origin of ['https://evil.example', 'null', undefined]) {
      const request = service.http().post('/console/login').type('form');
      if (origin !== undefined) void request.set('Origin', origin);
      const { status, headers } = await request.send({ username: login[0], password: login[1] });
      expect([status, headers['set-cookie']]).toEqual([403, undefined]);
    }
  });
});

describe('the cookie', () => {
  it.each([
    ['twice', (cookie: string) => `${cookie}; ${cookie}`],
    ['with another letter case', (cookie: string) => cookie.replace('offertory', 'Offertory')],
    ['with the name that is used behind TLS', (cookie: string) => cookie.replace('offertory', '__Host-offertory')],
    ['with something after it', (cookie: string) => `${cookie}x`],
    ['of nobody', () => `offertory=${'a'.repeat(43)}`],
  ])('is ignored %s', async (_what, change) => {
    const { visitor } = await newVisitor(service);
    await service.http().get('/console').set('Cookie', change(visitor.cookie)).expect(303);
    await service.http().get('/console').set('Cookie', `other=1; ${visitor.cookie};x=2`).expect(200);
  });

  it.each([
    ['PUBLIC_URL says https', { PUBLIC_URL: 'https://books.example.org' }, { Host: 'Books.example.org:443' }],
    [
      'a trusted proxy says https',
      { TRUST_PROXY: '1' },
      { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'books.example.org' },
    ],
  ])('is for encrypted connections to this host only, if %s', async (_what, settings, headers) => {
    const behindTls = await startTestApp(settings);
    try {
      const login = await behindTls.createUser('treasurer', PASSWORD, ['Finance']);
      const answer = await sendLogin(behindTls, login)
        .set({ ...headers, Origin: 'https://books.example.org' })
        .expect(303);
      expect(answer.headers['set-cookie']).toEqual([
        expect.stringMatching(/^__Host-offertory=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
      ]);
      const opened = behindTls
        .http()
        .get('/console')
        .set(headers)
        .set('Cookie', cookieOf(answer) ?? '');
      await opened.expect(200);
    } finally {
      await behindTls.stop();
    }
  });

  it('is not offered over plain HTTP past the address that PUBLIC_URL says is encrypted', async () => {
    const settings = { PUBLIC_URL: 'https://books.example.org' };
    const behindTls = await startTestApp(settings);
    try {
      const login = await behindTls.createUser('treasurer', PASSWORD, ['Finance']);
      for (const host of ['192.168.1.5:3000', 'books.example.org:3000', 'books.example.org.evil.example']) {
        const shown = await behindTls.http().get('/console/login').set('Host', host).expect(403);
        expect(shown.text).toContain('You cannot log in here');
        const origin = 'https://books.example.org';
        const sent = await sendLogin(behindTls, login).set('Host', host).set('Origin', origin).expect(403);
        expect(sent.headers['set-cookie']).toBeUndefined();
      }
    } finally {
      await behindTls.stop();
    }
  });

  it('is not offered over plain HTTP from another machine, and the page explains why', async () => {
    const login = await newUser();
    for (const host of ['books.example.org', '192.168.1.5:3000', 'localhost.example.org', '127.0.0.1.example.org']) {
      const shown = await service.http().get('/console/login').set('Host', host).expect(403);
      expect(shown.text).toContain('You cannot log in here');
      expect(shown.text).not.toContain('<form');
      const sent = await sendLogin(service, login).set('Host', host).set('Origin', `http://${host}`).expect(403);
      expect([sent.headers['set-cookie'], sent.text]).toEqual([
        undefined,
        expect.stringContaining('You cannot log in here'),
      ]);
    }
    for (const host of ['localhost:3000', '[::1]:3000', '127.8.0.1', 'books.localhost'])
      expect((await service.http().get('/console/login').set('Host', host).expect(200)).text).toContain('<form');
  });

  it('has the base path in its path', async () => {
    const below = await startTestApp({ BASE_PATH: '/giving' });
    try {
      const login = await below.createUser('treasurer', PASSWORD, ['Finance']);
      const answer = await below
        .http()
        .post('/giving/console/login')
        .set('Origin', originOf(below))
        .type('form')
        .send({ username: login[0], password: login[1] })
        .expect(303);
      expect(answer.headers['set-cookie']).toEqual([expect.stringContaining('; Path=/giving/console;')]);
      const cookie = cookieOf(answer) ?? '';
      const { text } = await below.http().get('/giving/console').set('Cookie', cookie).expect(200);
      expect(text).toContain('href="./console/account"');
    } finally {
      await below.stop();
    }
  });
});
