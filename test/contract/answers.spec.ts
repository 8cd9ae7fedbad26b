import { request as httpRequest, STATUS_CODES } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type supertest from 'supertest';
import { SECURITY_HEADERS } from '../support/security-headers.js';
import { startTestApp, type Login, type TestApp } from '../support/test-app.js';
import { addedGift, type Problem, readBack, rowCounts } from './gift-requests.js';

const JSON_TYPE = 'application/json; charset=utf-8';
const OWN_ID = /^[A-Za-z0-9._-]{1,64}$/;

let service: TestApp;
let reader: Login;
/** A gift, and one that is reversed. */
let gift: number;
let reversed: number;

beforeAll(async () => {
  service = await startTestApp();
  reader = await service.createUser('reader', 'correct horse battery', ['Developer', 'APIOnly']);
  gift = (await addedGift(service, {})).ContributionId;
  reversed = (await addedGift(service, {})).ContributionId;
  await service.reverse(`${reversed}/first`).expect(200);
});
afterAll(() => service.stop());

function call(method: string, path: string, login = service.login): supertest.Test {
  const agent = service.http() as unknown as Record<string, (path: string) => supertest.Test>;
  const request = agent[method.toLowerCase()]?.(path);
  if (request === undefined) throw new Error(`supertest has no ${method}`);
  return request.auth(...login);
}

const post = (body: string): supertest.Test =>
  call('post', '/Api/AddContribution').set('Content-Type', 'application/json').send(body);

async function reverseNewGift(): Promise<supertest.Response> {
  return service.reverse(`${(await addedGift(service, {})).ContributionId}/a`);
}

/** One call for every kind of answer: its name, its status, the code of a failure. */
const CALLS: readonly [string, number, string | undefined, () => PromiseLike<supertest.Response>][] = [
  ['a gift', 200, undefined, () => service.add()],
  ['a reversal', 200, undefined, reverseNewGift],
  ['a read-back', 200, undefined, () => service.read(gift)],
  ['liveness', 200, undefined, () => service.http().get('/health/live')],
  ['readiness', 200, undefined, () => service.http().get('/health/ready')],
  ['an invalid field', 400, 'invalid_request', () => service.add({ Amount: 'x' })],
  ['broken JSON', 400, 'malformed_json', () => post('{')],
  ['a malformed id', 400, 'invalid_request', () => service.read('1e1')],
  ['a malformed path', 400, 'invalid_request', () => service.reverse(`${gift}/%zz`)],
  ['a wrong password', 401, 'unauthenticated', () => service.add({}, ['api', 'wrong'])],
  ['no credentials', 401, 'unauthenticated', () => service.http().get(`/Api/Contributions/${gift}`)],
  ['a missing role', 403, 'forbidden', () => service.add({}, reader)],
  ['an unknown path', 404, 'not_found', () => call('get', '/Api/Nothing')],
  ['an unknown contribution', 404, 'contribution_not_found', () => service.read(2000000001)],
  ['a wrong method', 405, 'method_not_allowed', () => call('delete', '/Api/AddContribution')],
  ['a second reversal', 409, 'already_reversed', () => service.reverse(`${reversed}/second`)],
  ['a body that is too large', 413, 'payload_too_large', () => post('x'.repeat(70_000))],
  ['a wrong content type', 415, 'unsupported_media_type', () => post('{}').set('Content-Type', 'text/plain')],
  ['an unknown fund', 422, 'fund_not_found', () => service.add({ FundId: 2000000001 })],
];
const FAILURES = CALLS.filter(([, status]) => status >= 400);

describe('every answer', () => {
  it.each(CALLS)(
    'has a request id and the security headers, and does not name the software: %s',
    async (_what, status, _code, send) => {
      const { headers, status: answered } = await send();
      expect(answered).toBe(status);
      expect(headers['x-request-id']).toMatch(OWN_ID);
      expect(headers).toMatchObject(SECURITY_HEADERS);
      for (const name of ['x-powered-by', 'etag', 'server', 'last-modified', 'set-cookie']) {
        expect(headers).not.toHaveProperty(name);
      }
    },
  );

  it.each(['If-None-Match', 'If-Modified-Since'])('is complete, whatever %s contains', async (header) => {
    for (const value of ['*', '"x"', 'Fri, 31 Dec 2100 23:59:59 GMT']) {
      const answer = await service.read(gift).set(header, value).expect(200);
      expect(answer.body).toMatchObject({ contributionId: gift });
    }
  });

  it.each(CALLS)('reveals no internal details: %s', async (_what, _status, _code, send) => {
    const { text } = await send();
    expect(text).not.toMatch(
      /node_modules|\bat \S+ \(|SELECT|INSERT|UPDATE |\.[tj]s\b|QueryFailed|_fkey|Exception|nest|typeorm/i,
    );
  });
});

describe('a successful answer', () => {
  it('to AddContribution has exactly five fields, in order', async () => {
    const answer = await service.add({ Source: 'txt2give' }).expect(200).expect('Content-Type', JSON_TYPE);
    const { PeopleId, ContributionId } = answer.body as Record<string, unknown>;
    const fields = { PeopleId, ContributionId, NewPerson: true, MultipleMatches: false, Source: 'txt2give' };
    expect(answer.text).toBe(JSON.stringify(fields));
    expect([PeopleId, ContributionId].every(Number.isSafeInteger)).toBe(true);
  });

  it('to AddContribution has null as Source when none was sent', async () => {
    const { PeopleId, ContributionId } = await addedGift(service, {});
    const again = await service.add({ PeopleId }).expect(200);
    const fields = {
      PeopleId,
      ContributionId: ContributionId + 1,
      NewPerson: false,
      MultipleMatches: false,
      Source: null,
    };
    expect(again.text).toBe(JSON.stringify(fields));
  });

  it('to ReverseContribution has exactly four fields, in order', async () => {
    const { PeopleId: peopleId, ContributionId: contributionId } = await addedGift(service, {});
    const answer = await service.reverse(`${contributionId}/txt2give`).expect(200).expect('Content-Type', JSON_TYPE);
    const fields = { operation: 'Reversal', peopleId, contributionId, source: 'API Reverse (source=txt2give)' };
    expect(answer.text).toBe(JSON.stringify(fields));
  });

  it('to the read-back has exactly its fields, in order', async () => {
    const answer = await service.read(reversed).expect(200).expect('Content-Type', JSON_TYPE);
    const view = answer.body as Record<string, object>;
    expect(Object.keys(view)).toEqual([
      ...['contributionId', 'peopleId', 'amount', 'currency', 'date', 'day', 'fundId', 'bundleId', 'bundleTypeId'],
      ...['contributionTypeId', 'status', 'source', 'transactionId', 'notes', 'giver', 'createdBy', 'createdAt'],
      ...['updatedAt', 'match', 'reverses', 'reversal', 'payment', 'reversedAmount', 'reversals', 'reason'],
      ...['refundId', 'reinstatedBy', 'reinstates', 'moves'],
    ]);
    expect(Object.keys(view['giver'] ?? {})).toEqual(['first', 'last', 'email', 'phone', 'address', 'zip']);
    expect(Object.keys(view['reversal'] ?? {})).toEqual([
      ...['contributionId', 'source', 'by', 'at', 'amount', 'reason', 'refundId', 'reinstatedBy'],
    ]);
  });
});

describe('a failure', () => {
  it.each(FAILURES)('is a problem document: %s', async (_what, status, code, send) => {
    const answer = await send();
    const problem = answer.body as Problem;
    expect(answer.headers['content-type']).toMatch(/^application\/problem\+json(; charset=utf-8)?$/);
    expect(Object.keys(problem).filter((key) => key !== 'errors')).toEqual([
      ...['type', 'title', 'status', 'detail', 'instance', 'code', 'Error'],
    ]);
    expect(problem).toMatchObject({ type: 'about:blank', title: STATUS_CODES[status], status, code });
    expect(problem.detail).toMatch(/\S/);
    expect(problem.Error).toBe(problem.detail);
    expect(problem.instance).toBe(answer.headers['x-request-id']);
  });

  it('that concerns fields lists them between code and Error', async () => {
    const problem = (await service.add({ Amount: 'x', Email: 'x' }).expect(400)).body as Problem;
    expect(Object.keys(problem).slice(-3)).toEqual(['code', 'errors', 'Error']);
    expect(problem.errors?.map((fault) => Object.keys(fault))).toEqual([
      ['field', 'message'],
      ['field', 'message'],
    ]);
  });

  it('that concerns the path names id or source as the field', async () => {
    const fields = async (path: string): Promise<unknown> =>
      ((await service.reverse(path).expect(400)).body as Problem).errors?.map(({ field }) => field);
    expect(await fields('x/a')).toEqual(['id']);
    expect(await fields(`${gift}/%20`)).toEqual(['source']);
  });

  it('of authentication sends a challenge and is the same for missing, malformed and wrong credentials', async () => {
    const answers = await Promise.all(
      [undefined, 'Basic', 'Basic !!!', 'Bearer x', `Basic ${Buffer.from('api:wrong').toString('base64')}`].map(
        (value) => {
          const request = service.http().get(`/Api/Contributions/${gift}`).set('X-Request-Id', 'same');
          return value === undefined ? request : request.set('Authorization', value);
        },
      ),
    );
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    for (const { headers } of answers) {
      expect(headers['www-authenticate']).toMatch(/^Basic realm="[^"]+", charset="UTF-8"$/);
    }
  });

  it('of authorization names the missing role', async () => {
    const problem = (await service.add({}, reader).expect(403)).body as Problem;
    expect(problem.detail).toContain('APIWrite');
    expect(problem.detail).not.toContain('Developer');
  });
});

describe('X-Request-Id', () => {
  it.each(['a', '7', 'A.b_c-9', 'x'.repeat(64)])('is the caller’s id %j', async (id) => {
    const success = await service.read(gift).set('X-Request-Id', id).expect(200);
    const failure = await service.read('x').set('X-Request-Id', id).expect(400);
    const stranger = await service.http().get('/Api/x').set('X-Request-Id', id);
    expect([success, failure, stranger].map(({ headers }) => String(headers['x-request-id']))).toEqual([id, id, id]);
    expect((failure.body as Problem).instance).toBe(id);
  });

  it.each(['', 'x'.repeat(65), 'a b', 'a,b', 'a/b', 'a:b', 'a"b', '<b>', 'a\u{E9}', 'a;b', '{}', 'a\tb'])(
    'is a new id when the caller sends %j',
    async (id) => {
      const answer = await service.read('x').set('X-Request-Id', id).expect(400);
      expect(answer.headers['x-request-id']).toMatch(OWN_ID);
      expect(answer.headers['x-request-id']).not.toBe(id);
      expect(answer.text).not.toContain(`"instance":"${id}"`);
    },
  );

  it('differs for each request', async () => {
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => service.read(gift)));
    expect(new Set(answers.map(({ headers }) => String(headers['x-request-id']))).size).toBe(5);
  });
});

describe('paths', () => {
  it.each([
    '/api/addcontribution',
    '/API/ADDCONTRIBUTION',
    '/Api/AddContribution/',
    '/aPi/aDDcontribution/',
    '/Api/AddContribution?dryRun=false',
  ])('accept a gift at %s', async (path) => {
    const { PeopleId } = await addedGift(service, {});
    const body = { First: 'A', Last: 'B', Email: 'a@example.org', Phone: '1', Amount: 1, PeopleId };
    expect((await call('post', path).send(body).expect(200)).body).toMatchObject({ PeopleId });
  });

  it.each(['/api/reversecontribution/#/SrC', '/API/REVERSECONTRIBUTION/#/SrC/', '/Api/ReverseContribution/#/SrC?'])(
    'reverse at %s and keep the letter case of the source',
    async (path) => {
      const { ContributionId } = await addedGift(service, {});
      await call('post', path.replace('#', String(ContributionId))).expect(200);
      expect((await readBack(service, ContributionId)).reversal.source).toBe('SrC');
    },
  );

  it.each(['/api/contributions/#', '/API/CONTRIBUTIONS/#/', '/Api/Contributions/#?'])(
    'read back at %s',
    async (path) => {
      expect((await call('get', path.replace('#', String(gift))).expect(200)).body).toMatchObject({
        contributionId: gift,
      });
    },
  );

  it.each([
    ...[
      '/Offertory',
      '/Api',
      '/Api/',
      '/AddContribution',
      '/Api/AddContribution//',
      '//Api/AddContribution',
      '/Api//AddContribution',
    ],
    ...['/Api/AddContribution/1', '/Api/AddContributionss', '/Api%2FAddContribution', '/x/Api/AddContribution'],
    ...[
      '/Api/ReverseContribution',
      '/Api/ReverseContribution/',
      '/Api/ReverseContribution/#',
      '/Api/ReverseContribution/#/',
    ],
    ...['/Api/ReverseContribution/#//', '/Api/ReverseContribution//a', '/Api/ReverseContribution/#/a/b'],
    ...['/Api/ReverseContribution/#/a//', '/Api/Contribution', '/Api/Contributions/#/x', '/favicon.ico'],
  ])('return 404 for %s', async (path) => {
    const before = await rowCounts(service);
    for (const method of ['post', 'get']) {
      const answer = await call(method, path.replace('#', String(gift))).expect(404);
      expect((answer.body as Problem).code).toBe('not_found');
    }
    expect(await rowCounts(service)).toEqual(before);
  });
});

describe('methods', () => {
  it.each([
    ['/Api/AddContribution', 'POST', ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']],
    ['/api/addcontribution/', 'POST', ['GET', 'OPTIONS']],
    ['/Api/ReverseContribution/#/a', 'POST', ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']],
    ['/Api/ReverseContribution/0/a', 'POST', ['GET']],
    ['/Api/Contributions/#', 'GET, HEAD', ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']],
  ])('of %s are limited to %s', async (path, allow, methods) => {
    for (const method of methods) {
      const answer = await call(method, path.replace('#', String(gift)))
        .expect(405)
        .expect('Allow', allow);
      expect(answer.body).toMatchObject({ code: 'method_not_allowed', status: 405 });
    }
    expect((await readBack(service, gift))['status']).toBe('Recorded');
  });

  it('answer HEAD with headers only', async () => {
    const refused = await call('head', '/Api/AddContribution').expect(405).expect('Allow', 'POST');
    const read = await call('head', `/Api/Contributions/${gift}`).expect(200).expect('Cache-Control', 'no-store');
    expect([refused.text, read.text]).toEqual([undefined, undefined]);
    await call('head', `/Api/ReverseContribution/${gift}/a`).expect(405);
  });

  it('from outside the HTTP standard get a 405 as well', async () => {
    const { port } = service.app.getHttpServer().address() as AddressInfo;
    const status = await new Promise((resolve, reject) => {
      const options = {
        port,
        host: '127.0.0.1',
        method: 'PROPFIND',
        path: '/Api/AddContribution',
        agent: false,
      } as const;
      httpRequest({ ...options, auth: service.login.join(':') }, (response) => {
        response.resume();
        resolve([response.statusCode, response.headers.allow]);
      })
        .on('error', reject)
        .end();
    });
    expect(status).toEqual([405, 'POST']);
  });
});

describe.each([
  ['XX000', 500, 'internal_error'],
  ['23514', 500, 'internal_error'],
  ['55P03', 503, 'database_unavailable'],
  ['57014', 503, 'database_unavailable'],
  ['25006', 503, 'database_unavailable'],
  ['53300', 503, 'database_unavailable'],
])('when the database fails with %s', (sqlState, status, code) => {
  beforeAll(async () => {
    await service.database.query(`
      CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS
        $$BEGIN RAISE 'secret of %', NEW.giver_email USING ERRCODE = '${sqlState}', DETAIL = 'secret'; END$$;
      CREATE TRIGGER fail BEFORE INSERT ON contribution FOR EACH ROW EXECUTE FUNCTION fail()`);
  });
  afterAll(() => service.database.query('DROP FUNCTION fail CASCADE'));

  it(`answers ${status} without the cause and stores nothing`, async () => {
    const before = await rowCounts(service);
    for (const send of [() => service.add(), () => service.reverse(`${gift}/a`)]) {
      const answer = await send()
        .expect(status)
        .expect('Content-Type', /^application\/problem\+json/);
      expect(answer.body).toMatchObject({ code, status });
      expect(answer.headers).toMatchObject(SECURITY_HEADERS);
      expect(answer.headers['retry-after']).toEqual(status === 503 ? expect.stringMatching(/^[1-9]\d*$/) : undefined);
      expect(JSON.stringify([answer.text, answer.headers])).not.toMatch(/secret|ann\.|fail|trigger|contribution_|pg/i);
    }
    expect(await rowCounts(service)).toEqual(before);
    expect((await readBack(service, gift))['status']).toBe('Recorded');
  });
});
