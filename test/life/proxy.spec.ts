import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '../support/free-port.js';
import { noteSecret } from '../support/kept-logs.js';
import { MODE_HEADER, TEST_MODE } from '../support/mode.js';
import { createApiUser, type ServiceProcess, startServiceProcess } from '../support/service-process.js';
import { gift } from '../support/test-app.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { until } from '../support/until.js';
import { caddyIsThere, type Proxy, type ProxyAnswer, startProxy } from './caddy.js';

const PASSWORD = 'through the front door';
const LIMIT = 3;
const ADD = '/Api/AddContribution';
const KB = 1_024;

let database: TestDatabase;
let service: ServiceProcess;
let proxy: Proxy;
let variables: Record<string, string>;

const headers = (password = PASSWORD): Record<string, string> => ({
  'Content-Type': 'application/json',
  Authorization: `Basic ${Buffer.from(`api:${password}`).toString('base64')}`,
});
const add = (fields: object): Promise<ProxyAnswer> =>
  proxy.secure(ADD, { method: 'POST', headers: headers() }, JSON.stringify(fields));
const countGifts = async (): Promise<number> => (await database.query('SELECT FROM contribution')).length;

/** Expects HSTS, and no header that names the server. */
function expectGuarded(answer: ProxyAnswer): void {
  expect(answer.headers).toMatchObject({ 'strict-transport-security': 'max-age=31536000' });
  expectSilent(answer);
}
function expectSilent(answer: ProxyAnswer): void {
  for (const name of ['server', 'via', 'x-powered-by']) expect(answer.headers).not.toHaveProperty(name);
}

(caddyIsThere ? describe : describe.skip)('behind the Caddyfile (skipped only without Caddy)', () => {
  beforeAll(async () => {
    database = await createTestDatabase();
    const port = await freePort();
    variables = {
      DATABASE_URL: database.url,
      PORT: String(port),
      TRUST_PROXY: '1',
      LOGIN_FAILURES_PER_MINUTE: String(LIMIT),
    };
    await createApiUser(variables, PASSWORD);
    service = await startServiceProcess(variables);
    proxy = await startProxy({ api: port });
  });
  afterAll(async () => {
    await proxy.stop();
    expect(await service.end('SIGTERM')).toBe(0);
    await database.drop();
  });

  it('a gift is recorded over HTTPS with a verified certificate', async () => {
    const answer = await add(gift('https'));
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.text)).toMatchObject({ NewPerson: true });
    expectGuarded(answer);
    expect(await proxy.secure('/health/live')).toMatchObject({ status: 200 });
    for (const path of ['/health/ready', '/Health/Ready/'])
      expect(await proxy.secure(path)).toMatchObject({ status: 404 });
  });

  it('the test system has a name of its own, and says what it is in each answer, also in those of the proxy', async () => {
    const [of, port] = [await createTestDatabase({ empty: true }), await freePort()];
    const settings = { ...TEST_MODE, DATABASE_URL: of.url, PORT: String(port), TRUST_PROXY: '1' };
    await createApiUser(settings, PASSWORD);
    const test = await startServiceProcess(settings);
    const both = await startProxy({ api: Number(variables['PORT']), test: port });
    const there = { servername: 'test.localhost', headers: { Host: 'test.localhost' } };
    try {
      await until(() =>
        both.secure('/health/live', there).then(
          ({ status }) => status === 200,
          () => false,
        ),
      );
      const answers = [
        await both.secure('/health/live', there),
        await both.secure('/health/ready', there),
        await both.secure(ADD, { ...there, method: 'POST' }, JSON.stringify(gift('test'))),
        await both.plain('/health/live', there),
      ];
      expect(answers.map(({ status }) => status)).toEqual([200, 404, 401, 403]);
      // A call without an answer is one with an answer of the proxy here, as docs/testing-your-integration.md says.
      const withUser = { servername: there.servername, method: 'POST', headers: { ...headers(), ...there.headers } };
      const unanswered = gift('cut', { First: 'Error', Last: 'no_answer', Source: 'test', TransactionId: 'cut' });
      for (const status of [502, 200]) {
        const answer = await both.secure(ADD, withUser, JSON.stringify(unanswered));
        expect(answer.status).toBe(status);
        answers.push(answer);
      }
      expect(await of.query('SELECT FROM contribution')).toHaveLength(1);
      await test.end('SIGTERM');
      answers.push(await both.secure('/health/live', there));
      for (const { status, headers: sent } of answers) expect([status, sent[MODE_HEADER]]).toEqual([status, 'test']);
      expect(answers.at(-1)?.status).toBe(502);
      expect((await both.secure('/health/live')).headers).not.toHaveProperty(MODE_HEADER);
    } finally {
      await test.end('SIGKILL');
      await both.stop();
      await of.drop();
    }
  });

  it('plain HTTP gets 403, is not redirected, and does not reach the service', async () => {
    const [gifts, log] = [await countGifts(), service.output()];
    for (const path of [ADD, '/health/live', '/']) {
      const answer = await proxy.plain(path, { method: 'POST', headers: headers() }, JSON.stringify(gift('plain')));
      expect(answer).toMatchObject({ status: 403, text: 'Use https.' });
      expect(answer.headers).not.toHaveProperty('location');
      expectSilent(answer);
    }
    expect(await countGifts()).toBe(gifts);
    expect(service.output()).toBe(log);
  });

  it('a call for a name that is not served gets 421, over plain HTTP 403, and does not reach the service', async () => {
    const [gifts, log] = [await countGifts(), service.output()];
    const elsewhere = {
      method: 'POST',
      servername: 'localhost',
      headers: { ...headers(), Host: 'giving.example.net' },
    };
    const answers = [await proxy.secure(ADD, elsewhere, '{}'), await proxy.plain(ADD, elsewhere, '{}')];
    expect(answers.map(({ status }) => status)).toEqual([421, 403]);
    for (const answer of answers) expectSilent(answer);
    expect(await countGifts()).toBe(gifts);
    expect(service.output()).toBe(log);
  });

  /**
   * The answer comes before the end of the body, and the connection is closed soon after it. Node gives up a connection that is closed
   * while it writes, also if the answer has arrived, so the call is repeated then.
   */
  async function answerToLongBody(sent: Record<string, string>, body: string): Promise<ProxyAnswer> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await proxy.secure(ADD, { method: 'POST', headers: sent }, body);
      } catch (error) {
        if (attempt === 20) throw error;
      }
    }
  }

  it('a body over 64 KB gets 413 from the service, and one over 22 MB from the proxy, with or without Content-Length', async () => {
    const gifts = await countGifts();
    for (const size of [65 * KB, 2_100 * KB, 23_000 * KB]) {
      const body = JSON.stringify(gift('long', { Notes: 'x'.repeat(size) }));
      for (const length of [{ 'Content-Length': String(body.length) }, { 'Transfer-Encoding': 'chunked' }]) {
        const answer = await answerToLongBody({ ...headers(), ...length }, body);
        expect(answer.status).toBe(413);
        expectGuarded(answer);
        if (size < 22_000 * KB) expect(JSON.parse(answer.text)).toMatchObject({ code: 'payload_too_large' });
      }
    }
    expect(await countGifts()).toBe(gifts);
  });

  it('callers get 502 or 503 during a restart of the service, and 200 afterwards', async () => {
    const gifts = await countGifts();
    expect(await service.end('SIGTERM')).toBe(0);
    const down = await add(gift('down'));
    expect([502, 503]).toContain(down.status);
    expectGuarded(down);

    service = await startServiceProcess(variables);
    await until(async () => (await add(gift('back'))).status === 200, 30_000);
    expect(await countGifts()).toBe(gifts + 1);
  });

  it('a forged address neither evades the limit of failed logins nor appears in the log', async () => {
    const statuses: number[] = [];
    for (let i = 0; i <= LIMIT; i++) {
      noteSecret(`wrong password ${i}`);
      const forged = {
        'X-Forwarded-For': `203.0.113.${i}`,
        'X-Real-IP': `203.0.113.${i}`,
        Forwarded: `for=203.0.113.${i}`,
      };
      const options = { headers: { ...headers(`wrong password ${i}`), ...forged } };
      const answer = await proxy.secure('/Api/Contributions/1', options);
      expectGuarded(answer);
      statuses.push(answer.status);
    }
    expect(statuses).toEqual([401, 401, 401, 429]);
    await until(() => service.output().includes('127.0.0.1'));
    expect(service.output()).not.toContain('203.0.113.');
    // A verified caller is still let in from this address.
    expect(await add(gift('known'))).toMatchObject({ status: 200 });
  });
});
