import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type supertest from 'supertest';
import { cookieOf, newVisitor, sendLogin } from '../support/console.js';
import { MODE_HEADER, TEST_MODE } from '../support/mode.js';
import { RawConnection } from '../support/raw-http.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const BANNER = 'aria-label="Test system"';

interface Answer {
  readonly status: number;
  readonly mode: string | undefined;
}

/** What a system has answered, by what it was asked for. */
interface Answers {
  readonly ofKinds: ReadonlyMap<string, Answer>;
  readonly pages: ReadonlyMap<string, string>;
}

const STRANGERS_PAGES = ['/', '/console/login', '/docs', '/docs/', '/console/assets/none.css'];
const CONSOLE_PAGES = ['/console', '/console/gifts', '/console/gifts/2000000001', '/console/nothing'];

let live: Answers;
let test: Answers;

beforeAll(async () => {
  live = await answersOf({});
  test = await answersOf(TEST_MODE);
});

/** One system after the other, because passport has one set of strategies for a process. */
async function answersOf(settings: Record<string, string>): Promise<Answers> {
  const service = await startTestApp(settings);
  try {
    const ofKinds = new Map<string, Answer>();
    for (const [what, ask] of Object.entries(ANSWERS)) ofKinds.set(what, await ask(service));
    const { visitor } = await newVisitor(service);
    const pages = new Map<string, string>();
    for (const path of STRANGERS_PAGES) pages.set(path, (await service.http().get(path)).text);
    for (const path of CONSOLE_PAGES) pages.set(path, (await visitor.get(path)).text);
    return { ofKinds, pages };
  } finally {
    await service.stop();
  }
}

/** Answers of each kind, by what they are. */
const ANSWERS: Readonly<Record<string, (service: TestApp) => PromiseLike<Answer>>> = {
  'a recorded gift': (service) => answered(service.add()),
  'a failure of a field': (service) => answered(service.add({ Amount: 'x' })),
  'a failure of the credentials': (service) => answered(service.add({}, ['api', 'guessed'])),
  'a missing role': (service) => answered(service.get('Warnings')),
  'an unknown path': (service) => answered(service.http().get('/nothing')),
  'a method that is not allowed': (service) => answered(service.http().get('/Api/AddContribution')),
  'a path that cannot be decoded': (service) => answered(service.http().get('/Api/Contributions/%E0%A4%A')),
  'a page of another site': (service) => answered(service.add().set('Origin', 'https://elsewhere.example.org')),
  'a body that is too large': (service) => answered(service.add({ Notes: 'x'.repeat(70_000) })),
  liveness: (service) => answered(service.http().get('/health/live')),
  readiness: (service) => answered(service.http().get('/health/ready')),
  'an answer without a body': (service) => answered(service.http().head('/health/live')),
  'the page at the root': (service) => answered(service.http().get('/')),
  'the login page': (service) => answered(service.http().get('/console/login')),
  'a redirect to the login': (service) => answered(service.http().get('/console')),
  'a file of a page': async (service) => answered(service.http().get(await fileOf(service, '/'))),
  'the page of the API': (service) => answered(service.http().get('/docs')),
  'a file of the page of the API': async (service) => answered(service.http().get(await fileOf(service, '/docs'))),
  'the document of the API': (service) => answered(service.http().get('/openapi.json')),
  'what is not HTTP': (service) => raw(service, 'NOT HTTP AT ALL\r\n\r\n'),
  'a target that is no path': (service) => raw(service, 'GET nothing HTTP/1.1\r\nHost: x\r\n\r\n'),
  'headers that are too large': (service) =>
    raw(service, `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`),
  'a request to a proxy': (service) => raw(service, 'CONNECT example.org:443 HTTP/1.1\r\nHost: x\r\n\r\n'),
  'an expected interim answer': (service) =>
    raw(
      service,
      'POST /Api/AddContribution HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n{}',
    ),
  'an unknown expectation': (service) => raw(service, 'GET /health/live HTTP/1.1\r\nHost: x\r\nExpect: more\r\n\r\n'),
};

async function answered(call: supertest.Test): Promise<Answer> {
  const { status, headers } = (await call) as { status: number; headers: Record<string, string | undefined> };
  return { status, mode: headers[MODE_HEADER] };
}

async function raw(service: TestApp, bytes: string): Promise<Answer> {
  const { port } = service.app.getHttpServer().address() as AddressInfo;
  const answer = await new RawConnection(port).exchange(bytes, { last: true });
  return { status: answer?.status ?? 0, mode: answer?.headers.get(MODE_HEADER) };
}

/** The path of the first script of a page. */
async function fileOf(service: TestApp, path: string): Promise<string> {
  const { text } = await service.http().get(path).expect(200);
  const [, address = ''] = /<script[^>]* src="([^"]+)"/.exec(text) ?? [];
  return new URL(address, `http://x${path}`).pathname;
}

describe('the header that tells the mode', () => {
  it.each(Object.keys(ANSWERS))('is in %s of a test system, and of no other', (what) => {
    const [ofLive, ofTest] = [live.ofKinds.get(what), test.ofKinds.get(what)];
    expect(ofLive).toEqual({ status: expect.any(Number), mode: undefined });
    expect(ofTest).toEqual({ status: ofLive?.status, mode: 'test' });
  });

  it('is tried with answers of every class', () => {
    const statuses = [...test.ofKinds.values()].map(({ status }) => status);
    for (const status of [200, 303, 400, 401, 403, 404, 405, 413, 431]) expect(statuses).toContain(status);
  });
});

describe('pages of a test system say so, and no others do', () => {
  it.each([...STRANGERS_PAGES, ...CONSOLE_PAGES])('at %s', (path) => {
    expect(test.pages.get(path)).toContain(BANNER);
    expect(live.pages.get(path)).toMatch(/<html/);
    expect(live.pages.get(path)).not.toContain('Test system');
  });

  it('and the page of the API does not call its calls real', () => {
    expect(live.pages.get('/docs')).toContain('is real');
    expect(test.pages.get('/docs')).not.toContain('is real');
  });
});

it('a session of one system opens nothing on the other, and its cookie does not replace the other’s', async () => {
  const services = [await startTestApp(), await startTestApp(TEST_MODE)] as const;
  try {
    for (const [own, other] of [services, [...services].reverse() as [TestApp, TestApp]]) {
      const { login } = await newVisitor(own);
      const cookie = cookieOf(await sendLogin(own, login).expect(303)) ?? '';
      expect(cookie).toMatch(own === services[0] ? /^offertory=/ : /^offertory-test=/);
      const answer = await other.http().get('/console').set('Cookie', cookie);
      expect(answer.headers['location']).toMatch(/login/);
      // Under the name of the other's cookie, too.
      const renamed = cookie.replace(/^[\w-]+/, own === services[0] ? 'offertory-test' : 'offertory');
      expect((await other.http().get('/console').set('Cookie', renamed)).headers['location']).toMatch(/login/);
      // A browser sends both to both, because they differ in the port only.
      const there = (await newVisitor(other)).visitor;
      for (const one of [own, other])
        await one.http().get('/console').set('Cookie', `${cookie}; ${there.cookie}`).expect(200);
    }
  } finally {
    for (const service of services) await service.stop();
  }
});
