import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type supertest from 'supertest';
import type { OpenApi } from '../../src/api-document/openapi.js';
import { type Added, addedGift, books, type Problem, rowCounts } from '../contract/gift-requests.js';
import { type DocumentedCode, documentedCodes } from '../support/documented-codes.js';
import { MODE_HEADER, TEST_MODE } from '../support/mode.js';
import { gift, startTestApp, type TestApp } from '../support/test-app.js';

const UNKNOWN = 'no_such_code';
const PAGE = readFileSync(new URL('../../docs/testing-your-integration.md', import.meta.url), 'utf8');
const curlIsThere = spawnSync('curl', ['--version']).error === undefined;

let service: TestApp;
let document: OpenApi;

beforeAll(async () => {
  service = await startTestApp(TEST_MODE);
  document = (await service.http().get('/openapi.json').expect(200)).body as OpenApi;
});
afterAll(() => service.stop());

let count = 0;
/** A gift of a giver with these names, and a transaction id of its own. */
const named = (First: string, Last: string, fields: object = {}): Record<string, unknown> =>
  gift(`named${++count}`, { First, Last, Source: 'test', TransactionId: `named-${count}`, ...fields });

const post = (path: string, body: object): supertest.Test =>
  service
    .http()
    .post(`/Api/${path}`)
    .auth(...service.login)
    .send(body);

/** Expects the answer that an error with this code has, and that nothing was stored. */
async function expectProvoked(call: () => supertest.Test, { code, status }: DocumentedCode): Promise<void> {
  const before = await rowCounts(service);
  const answer = await call();
  const { headers, status: answered } = answer;
  const problem = answer.body as Problem;
  expect([code, answered, problem.code, problem.status]).toEqual([code, status, code, status]);
  expect([code, problem.detail]).toEqual([code, expect.stringMatching(/this test system/)]);
  expect([code, problem.errors !== undefined]).toEqual([code, code === 'invalid_request']);
  expect(headers).toMatchObject({ [MODE_HEADER]: 'test', 'content-type': 'application/problem+json; charset=utf-8' });
  expect([code, headers['retry-after'], headers['www-authenticate']]).toEqual([
    code,
    status === 429 || status === 503 ? '1' : undefined,
    status === 401 ? 'Basic realm="Offertory", charset="UTF-8"' : undefined,
  ]);
  expect(await rowCounts(service)).toEqual(before);
}

/** Expects a 400 that names the field and what it can be. */
function expectUnknown({ status, body }: supertest.Response, known: string): void {
  const { errors = [] } = body as Problem;
  expect(status).toBe(400);
  expect(errors).toEqual([{ field: 'Last', message: expect.stringContaining(known) }]);
}

describe.each(['AddContribution', 'PreviewContribution'])('%s of a giver with the first name Error', (operation) => {
  it('gets each error that the document lists for it, and stores nothing', async () => {
    const codes = documentedCodes(document, operation);
    expect(codes.length).toBeGreaterThan(15);
    for (const code of codes) await expectProvoked(() => post(operation, named('Error', code.code)), code);
  });

  it('gets it with names of fields in another letter case, too', async () => {
    const fields = Object.entries(named('Error', 'unknown_person')).map(([name, value]) => [name.toLowerCase(), value]);
    const call = (): supertest.Test => post(operation, Object.fromEntries(fields) as object);
    await expectProvoked(call, { code: 'unknown_person', status: 422 });
  });

  it('is refused with the codes to choose from if there is no such error', async () => {
    for (const last of [UNKNOWN, 'not_reversible', 'Fund_Not_Found', 'Smith'])
      expectUnknown(await post(operation, named('Error', last)), 'fund_not_found');
    expectUnknown(await post(operation, named('ReverseError', UNKNOWN)), 'not_reversible');
  });

  it('gets the usual failure of its fields and credentials first', async () => {
    const call = post(operation, named('Error', 'fund_not_found', { Amount: 'x' }));
    expect(((await call.expect(400)).body as Problem).errors).toMatchObject([{ field: 'Amount' }]);
    await service
      .http()
      .post(`/Api/${operation}`)
      .auth('api', 'guessed')
      .send(named('Error', 'fund_not_found'))
      .expect(401);
  });
});

it('a giver with another first name is recorded as usual', async () => {
  for (const first of ['error', 'ERROR', 'Errors', 'reverseerror'])
    await post('AddContribution', named(first, 'fund_not_found')).expect(200);
});

it('a dry run of AddContribution gets the errors of AddContribution', async () => {
  const call = (): supertest.Test => post('AddContribution?dryRun=true', named('Error', 'unknown_person'));
  await expectProvoked(call, { code: 'unknown_person', status: 422 });
});

describe('a gift of a batch', () => {
  interface Result {
    readonly Status: number;
    readonly Problem?: Problem;
  }
  const send = (...Gifts: object[]): supertest.Test => post('AddContributions', { Gifts });
  const ofWhole = (): DocumentedCode[] =>
    documentedCodes(document, 'AddContributions').filter(({ code }) => code !== 'invalid_request');
  const ofGift = (): DocumentedCode[] => {
    const whole = new Set(ofWhole().map(({ code }) => code));
    return documentedCodes(document, 'PreviewContribution').filter(({ code }) => !whole.has(code));
  };

  it('gets each error that a gift can get, and the others are recorded', async () => {
    const codes = ofGift();
    expect(codes.length).toBeGreaterThan(7);
    const answer = await send(
      named('Ann', 'Lee'),
      ...codes.map(({ code }) => named('Error', code)),
      named('Ann', 'Lee'),
    ).expect(200);
    const results = (answer.body as { Results: readonly Result[] }).Results;
    expect(results.map(({ Status, Problem: problem }) => [Status, problem?.code])).toEqual([
      [200, undefined],
      ...codes.map(({ code, status }) => [status, code]),
      [200, undefined],
    ]);
  });

  it('gives the whole call each error that a call gets, and nothing is recorded', async () => {
    const codes = ofWhole();
    expect(codes.length).toBeGreaterThan(7);
    for (const code of codes) await expectProvoked(() => send(named('Ann', 'Lee'), named('Error', code.code)), code);
  });

  it('covers every error that the document lists for the operation', () => {
    const all = new Set([...ofWhole(), ...ofGift()].map(({ code }) => code));
    expect(documentedCodes(document, 'AddContributions').filter(({ code }) => !all.has(code))).toEqual([]);
  });

  it('is refused if it asks for something else, and says what there is', async () => {
    const names = [
      ['Error', UNKNOWN],
      ['Error', 'no_answer'],
      ['Error', 'idempotency_key_reused'],
      ['ReverseError', UNKNOWN],
    ] as const;
    const answer = await send(...names.map(([first, last]) => named(first, last)), named('Ann', 'Lee')).expect(200);
    const results = (answer.body as { Results: readonly Result[] }).Results;
    expect(results.map(({ Status, Problem: problem }) => [Status, problem?.errors?.[0]?.field])).toEqual([
      ...names.map(() => [400, 'Last']),
      [200, undefined],
    ]);
  });
});

describe('the reversal of a gift of a giver with the first name ReverseError', () => {
  const calls: readonly (readonly [string, (id: number, transactionId: unknown) => supertest.Test])[] = [
    ['ReverseContribution', (id) => post(`ReverseContribution/${id}/test`, {})],
    ['ReverseTransaction', (_id, transactionId) => post(`Transactions/test/${String(transactionId)}/reverse`, {})],
  ];

  it.each(calls)(
    'by %s gets each error that the document lists for it, and changes nothing',
    async (operation, call) => {
      const codes = documentedCodes(document, operation);
      expect(codes.length).toBeGreaterThan(9);
      for (const code of codes) {
        const sent = named('ReverseError', code.code);
        const { ContributionId } = (await post('AddContribution', sent).expect(200)).body as Added;
        await expectProvoked(() => call(ContributionId, sent['TransactionId']), code);
        expect((await service.read(ContributionId).expect(200)).body).toMatchObject({ status: 'Recorded' });
      }
    },
  );

  it('says which errors it knows, if only the other kind of reversal has this one', async () => {
    const sent = named('ReverseError', 'not_reversible');
    await post('AddContribution', sent).expect(200);
    const answer = await post(`Transactions/test/${String(sent['TransactionId'])}/reverse`, {});
    expectUnknown(answer, 'reversal_exceeds_gift');
  });

  it('gets it for each part of a split gift, and Finance can reverse it', async () => {
    const finance = await service.createUser('treasurer', 'correct horse battery', ['Finance']);
    const splits = [
      { FundId: 1, Amount: '4' },
      { FundId: 1, Amount: '6' },
    ];
    const { ContributionId: id } = await addedGift(service, named('ReverseError', 'forbidden', { Splits: splits }));
    for (const part of [id, id + 1]) await service.reverse(`${part}/test`).expect(403);
    await service
      .http()
      .post(`/Api/Contributions/${id}/reverse`)
      .auth(...finance)
      .send({ Reason: 'error' })
      .expect(200);
  });

  it('leaves a path that is not valid, and gifts that do not exist, to the usual answers', async () => {
    await service.reverse('2000000001/test').expect(404);
    await service.reverse('x/test').expect(400);
    await post('Transactions/test/none/reverse', {}).expect(404);
  });
});

describe('no_answer', () => {
  it('records a gift and cuts the connection; a call with the same key then gets the first answer', async () => {
    const before = (await books(service)) as readonly { contributions: string }[];
    const sent = named('Error', 'no_answer', { Source: undefined, TransactionId: undefined });
    const call = (): supertest.Test => post('AddContribution', sent).set('Idempotency-Key', 'no answer');
    await expect(call()).rejects.toThrow(/hang up|reset|closed/i);
    const answer = await call().expect(200);
    expect(answer.headers['idempotency-replayed']).toBe('true');
    const after = (await books(service)) as readonly { contributions: string }[];
    expect(Number(after[0]?.contributions)).toBe(Number(before[0]?.contributions) + 1);
    expect((await service.read((answer.body as Added).ContributionId).expect(200)).body).toMatchObject({
      giver: { first: 'Error', last: 'no_answer' },
    });
  });

  it('does the same with a TransactionId', async () => {
    const sent = named('Error', 'no_answer');
    await expect(post('AddContribution', sent)).rejects.toThrow(/hang up|reset|closed/i);
    const { headers } = await post('AddContribution', sent).expect(200);
    expect(headers['idempotency-replayed']).toBe('true');
  });

  it('reverses a gift and cuts the connection; the second try is known by its key, or finds the gift reversed', async () => {
    for (const [key, status] of [
      ['reversal without an answer', 200],
      [undefined, 409],
    ] as const) {
      const { ContributionId } = await addedGift(service, named('ReverseError', 'no_answer'));
      const call = (): supertest.Test => {
        const reversal = service.reverse(`${ContributionId}/test`);
        return key === undefined ? reversal : reversal.set('Idempotency-Key', key);
      };
      await expect(call()).rejects.toThrow(/hang up|reset|closed/i);
      expect((await call()).status).toBe(status);
      const rows = await service.database.query('SELECT FROM contribution WHERE reverses_id = $1', [ContributionId]);
      expect(rows).toHaveLength(1);
    }
  });

  it('checks a gift without recording it, and cuts the connection', async () => {
    const before = await rowCounts(service);
    await expect(post('PreviewContribution', named('Error', 'no_answer'))).rejects.toThrow(/hang up|reset|closed/i);
    expect(await rowCounts(service)).toEqual(before);
  });

  it('leaves the service as it was: other calls get their turn', async () => {
    await Promise.all(
      Array.from({ length: 30 }, () => post('AddContribution', named('Error', 'no_answer')).catch(() => undefined)),
    );
    await Promise.all(Array.from({ length: 30 }, () => service.add().expect(200)));
  });
});

describe('docs/testing-your-integration.md', () => {
  it('has a row for each name, and says what each call does with it', () => {
    const [header = [], ...rows] = [...PAGE.matchAll(/^\|(.+)\|$/gm)]
      .map(([, line = '']) => line.split('|').map((cell) => cell.trim()))
      .filter(([first = '']) => !first.startsWith('-'));
    const [, , ...operations] = header;
    expect(operations).toEqual([
      ...['AddContribution', 'PreviewContribution', 'AddContributions', 'ReverseContribution', 'ReverseTransaction'],
    ]);
    const codes = new Map(operations.map((id) => [id, documentedCodes(document, id)] as const));
    const has = (id: string, code: string): boolean => codes.get(id)?.some((one) => one.code === code) === true;
    const cell = (id: string, code: string): string => {
      if (id !== 'AddContributions') return has(id, code) ? 'yes' : 'no';
      if (code !== 'invalid_request' && has(id, code)) return 'call';
      return has('PreviewContribution', code) ? 'gift' : 'no';
    };
    const all = new Map([...codes.values()].flat().map(({ code, status }) => [code, status] as const));
    const sorted = [...all].sort(([one, a], [other, b]) => a - b || one.localeCompare(other, 'en'));
    expect(rows).toEqual([
      ...sorted.map(([code, status]) => [String(status), `\`${code}\``, ...operations.map((id) => cell(id, code))]),
      ['', '`no_answer`', 'yes', 'yes', 'no', 'yes', 'yes'],
    ]);
  });

  (curlIsThere ? it : it.skip)(
    'has a command with the answer that it describes (skipped only without curl)',
    async () => {
      const [, command = ''] = /^```sh\n([^]*?)^```$/m.exec(PAGE) ?? [];
      const { port } = service.app.getHttpServer().address() as AddressInfo;
      const [API_USER, API_PASSWORD] = service.login;
      const { stdout } = await promisify(execFile)('/bin/sh', ['-ec', command], {
        env: { PATH: process.env['PATH'], OFFERTORY: `http://127.0.0.1:${port}`, API_USER, API_PASSWORD },
      });
      expect(stdout).toMatch(/^HTTP\/1\.1 503 /);
      expect(stdout).toMatch(/^X-Offertory-Mode: test\r$/m);
      expect(stdout).toMatch(/^Retry-After: 1\r$/m);
      expect(stdout).toMatch(/"code":"database_unavailable"/);
    },
  );
});
