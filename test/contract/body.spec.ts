import { Agent, request as httpRequest, type OutgoingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { gift, type Login, ROLES, startTestApp, type TestApp } from '../support/test-app.js';
import { addedGift, type Problem, rowCounts } from './gift-requests.js';

const LIMIT = 64 * 1024;
const ADD = '/Api/AddContribution';

interface Answer {
  readonly status: number;
  readonly body: Problem;
}

interface Sent {
  readonly path?: string;
  readonly method?: string;
  /** Null sends no credentials. */
  readonly login?: Login | null;
  readonly headers?: OutgoingHttpHeaders;
  /** An array is sent chunked, a text or buffer with its length. By default no body is sent. */
  readonly body?: string | Buffer | readonly (string | Buffer)[];
  /** Does not end the request. The answer must come anyway. */
  readonly unfinished?: boolean;
  /** Keeps the connection for further requests. By default each request has its own connection. */
  readonly agent?: Agent;
}

let service: TestApp;
let count = 0;

beforeAll(async () => {
  service = await startTestApp();
});
afterAll(() => service.stop());

/** Sends a request byte for byte. A client library would correct it. */
function send({
  path = ADD,
  method = 'POST',
  login = service.login,
  headers = {},
  body,
  unfinished,
  agent,
}: Sent): Promise<Answer> {
  const pieces = body === undefined ? [] : [body].flat();
  const length =
    Array.isArray(body) || unfinished === true ? {} : { 'Content-Length': Buffer.byteLength(pieces[0] ?? '') };
  const auth = login === null ? {} : { auth: login.join(':') };
  const { port } = service.app.getHttpServer().address() as AddressInfo;
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { host: '127.0.0.1', port, method, path, agent: agent ?? false, headers: { ...length, ...headers }, ...auth },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          if (agent === undefined) request.destroy();
          const text = Buffer.concat(chunks).toString();
          resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) as Problem });
        });
      },
    );
    request.on('error', reject);
    for (const piece of pieces) request.write(piece);
    if (unfinished === true) request.flushHeaders();
    else request.end();
  });
}

const JSON_TYPE = { 'Content-Type': 'application/json' };

function post(body: Sent['body'], headers: OutgoingHttpHeaders = {}): Promise<Answer> {
  return send({ headers: { ...JSON_TYPE, ...headers }, ...(body !== undefined && { body }) });
}

/** The JSON text of a gift from a new giver. `more` is inserted at its start, such as `"Extra":[],`. */
function giftText(more = '', fields: object = {}): string {
  return `{${more}${JSON.stringify(gift(`b${++count}`, fields)).slice(1)}`;
}

/** The JSON text of a gift, padded to this number of bytes. */
function giftOf(bytes: number): string {
  const text = giftText('"Pad":"",');
  return text.replace('""', `"${'x'.repeat(bytes - Buffer.byteLength(text))}"`);
}

async function expectRefused(call: () => Promise<Answer>, status: number, code: string): Promise<void> {
  const before = await rowCounts(service);
  const answer = await call();
  expect([answer.status, answer.body.status, answer.body.code]).toEqual([status, status, code]);
  expect(await rowCounts(service)).toEqual(before);
}

describe('the content type', () => {
  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json; charset="Utf-8"',
    'Application/JSON ; Charset=utf-8',
  ])('%s is read', async (type) => {
    expect(await post(giftText(), { 'Content-Type': type })).toMatchObject({ status: 200 });
  });

  it.each([
    ...[
      'application/json; charset=utf-16',
      'application/json; charset=utf-16le',
      'application/json; charset=iso-8859-1',
    ],
    ...['application/json; charset=windows-1252', 'application/json; charset=utf-8x'],
    ...['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/plain', 'text/json', 'text/html'],
    ...[
      'application/problem+json',
      'application/vnd.api+json',
      'application/jsonp',
      'application/json5',
      'application/*',
    ],
    ...['application/json, application/json', 'application/json, text/plain', 'json', '/', '*/*', 'application', ''],
  ])('%j is refused', async (type) => {
    await expectRefused(() => post(giftText(), { 'Content-Type': type }), 415, 'unsupported_media_type');
  });

  it('is required', async () => {
    await expectRefused(() => send({ body: giftText() }), 415, 'unsupported_media_type');
    await expectRefused(() => send({ body: '' }), 415, 'unsupported_media_type');
  });

  it.each(['gzip', 'deflate', 'br', 'GZIP', 'nonsense'])('with the encoding %s is refused', async (encoding) => {
    const body = gzipSync(giftText());
    await expectRefused(() => post(body, { 'Content-Encoding': encoding }), 415, 'unsupported_media_type');
  });
});

describe('the size', () => {
  it('may be 64 KB', async () => {
    expect(await post(giftOf(LIMIT))).toMatchObject({ status: 200 });
  });

  it('may not exceed 64 KB by one byte', async () => {
    await expectRefused(() => post(giftOf(LIMIT + 1)), 413, 'payload_too_large');
  });

  it('is counted in bytes', async () => {
    expect(await post(giftText(`"Pad":"${'\u{E9}'.repeat(32_000)}",`))).toMatchObject({ status: 200 });
    await expectRefused(() => post(giftText(`"Pad":"${'\u{E9}'.repeat(33_000)}",`)), 413, 'payload_too_large');
  });

  it('is limited without a Content-Length as well', async () => {
    const halves = (text: string): string[] => [text.slice(0, 40_000), text.slice(40_000)];
    expect(await post(halves(giftOf(LIMIT)))).toMatchObject({ status: 200 });
    await expectRefused(() => post(halves(giftOf(LIMIT + 1))), 413, 'payload_too_large');
    await expectRefused(() => post(Array<string>(50).fill('x'.repeat(10_000))), 413, 'payload_too_large');
  });
});

describe('the encoding', () => {
  it('may begin with one byte order mark', async () => {
    expect(await post(`\u{FEFF}${giftText()}`)).toMatchObject({ status: 200 });
    await expectRefused(() => post(`\u{FEFF}\u{FEFF}${giftText()}`), 400, 'malformed_json');
    await expectRefused(() => post('\u{FEFF}'), 400, 'malformed_json');
  });

  it.each(['ff', 'c328', 'c0af', 'e282', 'eda080', 'f4908080', '80', 'f8a1a1a1a1'])(
    'may not contain the bytes %s',
    async (hex) => {
      const [before = '', after = ''] = giftText('"Pad":"@",').split('@');
      const body = Buffer.concat([Buffer.from(before), Buffer.from(hex, 'hex'), Buffer.from(after)]);
      await expectRefused(() => post(body), 400, 'malformed_json');
    },
  );

  it('may not be UTF-16', async () => {
    await expectRefused(() => post(Buffer.from(giftText(), 'utf16le')), 400, 'malformed_json');
    await expectRefused(() => post(Buffer.from(`\u{FEFF}${giftText()}`, 'utf16le')), 400, 'malformed_json');
  });
});

describe('the text', () => {
  it.each([
    '',
    ' \r\n',
    '{"First":',
    '{',
    '{}}',
    '{} {}',
    "{'First':'Ann'}",
    '{"First":"Ann",}',
    '{First:"Ann"}',
    'First=Ann',
  ])('may not be %j', async (body) => {
    await expectRefused(() => post(body), 400, 'malformed_json');
  });

  it.each([
    ['a comment', (text: string) => text.replace('{', '{/* gift */')],
    ['a trailing comma', (text: string) => text.replace(/\}$/, ',}')],
    ['a line break in a text', (text: string) => text.replace('@example', '\n@example')],
    ['NaN', (text: string) => text.replace('{', '{"Pad":NaN,')],
    ['a number with a plus', (text: string) => text.replace('{', '{"Pad":+1,')],
    ['a hexadecimal escape', (text: string) => text.replace('{', '{"Pad":"\\x41",')],
    ['text after the end', (text: string) => `${text} x`],
    ['a NUL after the end', (text: string) => `${text}\0`],
    ['a missing closing brace', (text: string) => text.slice(0, -1)],
  ])('is strict JSON: %s is refused', async (_what, spoil) => {
    await expectRefused(() => post(spoil(giftText())), 400, 'malformed_json');
  });

  it.each(['5', '[]', 'null', '"x"', 'true', '[{"First":"Ann"}]', '-0'])('must be an object, not %s', async (body) => {
    await expectRefused(() => post(body), 400, 'invalid_request');
  });

  it('refuses a call without any body', async () => {
    await expectRefused(() => post(undefined), 400, 'malformed_json');
  });
});

describe('nesting', () => {
  const nested = (levels: number, open = '[', close = ']'): string =>
    `"Extra":${open.repeat(levels)}${close.repeat(levels)},`;

  it('may be 16 levels deep, the body included', async () => {
    expect(await post(giftText(nested(15)))).toMatchObject({ status: 200 });
    expect(await post(giftText(`"Extra":${'{"a":'.repeat(15)}1${'}'.repeat(15)},`))).toMatchObject({ status: 200 });
  });

  it.each([16, 17, 100, 15_000])('may not be %i levels below the body', async (levels) => {
    await expectRefused(() => post(giftText(nested(levels))), 400, 'invalid_request');
  });

  it('may not be 17 levels of alternating objects and arrays', async () => {
    await expectRefused(() => post(giftText(nested(8, '[{"a":', '}]').replace('}', '1}'))), 400, 'invalid_request');
  });

  it('does not count brackets in texts', async () => {
    const Notes = `\\"${'[{'.repeat(50)}\\`;
    const answer = await addedGift(service, { Notes });
    expect((await service.read(answer.ContributionId)).body).toMatchObject({ notes: Notes });
  });

  it('does not count siblings', async () => {
    expect(await post(giftText(`"Extra":[${Array<string>(500).fill('[{}]').join(',')}],`))).toMatchObject({
      status: 200,
    });
  });
});

describe('a duplicate field name', () => {
  it.each([
    ['a known name', '"Amount":"10",'],
    ['a known name in another letter case', '"AMOUNT":"10",'],
    ['a known name whose first value is null', '"amount":null,'],
    ['a known name written with an escape', '"\\u0041mount":"10",'],
    ['a known name written with an escape, in another letter case', '"\\u0066irst":"Ann",'],
    ['an unknown name', '"Extra":1,"Extra":1,'],
    ['an unknown name in another letter case', '"Extra":1,"eXTRA":2,'],
    ['an unknown name written with an escape', '"Extra":1,"\\u0045xtra":2,'],
    ['an unknown name after a nested object', '"Extra":{"a":[1]},"Extra":2,'],
    ['a built-in property of JavaScript objects', '"__proto__":1,"__proto__":2,'],
    ['an empty name', '"":1,"":2,'],
    ['a name after line separators', '"Extra":"a\u{2028}b\u{2029}\u{85}","Extra":1,'],
    ['a name after an escaped quote', '"Extra":"\\"\\\\","Extra":1,'],
  ])('is refused: %s', async (_what, more) => {
    await expectRefused(() => post(giftText(more)), 400, 'invalid_request');
  });

  it('is not detected inside values', async () => {
    const body = giftText(
      '"Notes":"Amount:\\"Zip\\":","Source":"Notes","Extra":["First","First",{"Zip":{"Zip":"1"}}],',
    );
    expect(await post(body)).toMatchObject({ status: 200 });
  });
});

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const TEXT = { 'Content-Type': 'text/plain; charset=utf-16' };

describe('a body of ReverseContribution', () => {
  const reversalOf = (contributionId: number, sent: Sent): Promise<Answer> =>
    send({ ...sent, path: `/Api/ReverseContribution/${contributionId}/txt2give` });

  it.each<[string, Sent]>([
    ['nothing', {}],
    ['nothing, as JSON', { headers: JSON_TYPE }],
    ['nothing, as text', { headers: { 'Content-Type': 'text/plain' }, body: '' }],
    ['nothing, with an invalid content type', { headers: { 'Content-Type': ';;;' }, body: '' }],
    ['nothing, as gzip', { headers: { ...JSON_TYPE, 'Content-Encoding': 'gzip' }, body: '' }],
    ['no chunks', { headers: { 'Transfer-Encoding': 'chunked' }, body: [] }],
    ['an empty object', { headers: JSON_TYPE, body: '{}' }],
    ['an empty object with spaces', { headers: JSON_TYPE, body: ' {\r\n\t} ' }],
    ['an empty object in chunks', { headers: JSON_TYPE, body: ['{', '}', '\n'] }],
    ['an empty object without a content type', { body: '{}' }],
    ['an empty object with another content type', { headers: TEXT, body: '{}' }],
    ['null', { headers: JSON_TYPE, body: 'null' }],
    ['null as a form', { headers: FORM, body: 'null' }],
    ['white space', { headers: JSON_TYPE, body: ' \r\n\t' }],
    ['Unicode white space', { body: '\u{A0}\u{3000}\u{2028}' }],
    ['64 KB of white space', { body: ' '.repeat(LIMIT) }],
    ['a byte order mark', { headers: JSON_TYPE, body: '\u{FEFF}' }],
    ['a byte order mark and an empty object', { headers: JSON_TYPE, body: '\u{FEFF}{}' }],
  ])('may be %s', async (_what, sent) => {
    const { ContributionId } = await addedGift(service, {});
    const answer = await reversalOf(ContributionId, sent);
    expect(answer).toMatchObject({ status: 200, body: { contributionId: ContributionId } });
  });

  it.each<[string, Sent]>([
    ['an amount', { headers: JSON_TYPE, body: '{"Amount":"5.00"}' }],
    ['an amount of null', { headers: JSON_TYPE, body: '{"Amount":null}' }],
    ['an amount as a form', { headers: FORM, body: 'Amount=5' }],
    ['an amount in chunks', { headers: JSON_TYPE, body: ['{"Amount":', '5}'] }],
    ['an amount after white space', { headers: JSON_TYPE, body: `${' '.repeat(1_000)}{"Amount":5}` }],
    ['an amount without a content type', { body: '{"Amount":5}' }],
    ['an amount with an invalid content type', { headers: { 'Content-Type': ';;;' }, body: '{"Amount":5}' }],
    ['another id and source', { headers: JSON_TYPE, body: '{"id":2,"source":"other","contributionId":2}' }],
    ['an array', { headers: JSON_TYPE, body: '[]' }],
    ['a text', { headers: JSON_TYPE, body: '""' }],
    ['false', { headers: JSON_TYPE, body: 'false' }],
    ['zero', { headers: JSON_TYPE, body: '0' }],
    ['NULL', { headers: JSON_TYPE, body: 'NULL' }],
    ['two objects', { headers: JSON_TYPE, body: '{}{}' }],
    ['a comment', { headers: JSON_TYPE, body: '{/* */}' }],
    ['broken JSON', { headers: JSON_TYPE, body: '{"a":' }],
    ['a NUL', { body: '\0' }],
    ['an invisible character', { body: '\u{200B}' }],
    ['UTF-16', { headers: TEXT, body: Buffer.from('{}', 'utf16le') }],
    ['invalid UTF-8', { body: Buffer.from('ff', 'hex') }],
    ['a compressed empty object', { headers: { ...JSON_TYPE, 'Content-Encoding': 'gzip' }, body: gzipSync('{}') }],
    ['more than 64 KB', { headers: JSON_TYPE, body: 'x'.repeat(LIMIT + 1) }],
    ['more than 64 KB of white space', { body: ' '.repeat(LIMIT + 1) }],
    ['more than 64 KB in chunks', { headers: JSON_TYPE, body: Array<string>(20).fill('x'.repeat(10_000)) }],
  ])('may not be %s', async (_what, sent) => {
    const { ContributionId } = await addedGift(service, {});
    await expectRefused(() => reversalOf(ContributionId, sent), 400, 'invalid_request');
    expect((await reversalOf(ContributionId, sent)).body.detail).toMatch(/^ReverseContribution takes no body/);
    expect(await reversalOf(ContributionId, {})).toMatchObject({ status: 200 });
  });

  it('is refused with an Idempotency-Key as well, and does not use up the key', async () => {
    const { ContributionId } = await addedGift(service, {});
    const headers = { ...JSON_TYPE, 'Idempotency-Key': 'with a body first' };
    await expectRefused(() => reversalOf(ContributionId, { headers, body: '{"Amount":5}' }), 400, 'invalid_request');
    expect(await reversalOf(ContributionId, { headers, body: '{}' })).toMatchObject({ status: 200 });
    expect(await reversalOf(ContributionId, { headers, body: ' ' })).toMatchObject({ status: 200 });
  });

  it('does not break the connection when it is refused', async () => {
    const { ContributionId } = await addedGift(service, {});
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const chunks = Array<string>(30).fill('x'.repeat(10_000));
    for (const body of [chunks, 'x'.repeat(LIMIT + 1), '{"a":1}', '{}']) {
      const answer = await reversalOf(ContributionId, { body, agent });
      expect(answer.status).toBe(body === '{}' ? 200 : 400);
    }
    agent.destroy();
  });

  it('is ignored by the read-back', async () => {
    const { ContributionId } = await addedGift(service, {});
    const answer = await send({
      method: 'GET',
      path: `/Api/Contributions/${ContributionId}`,
      headers: JSON_TYPE,
      body: '{"a":',
    });
    expect(answer).toMatchObject({ status: 200, body: { contributionId: ContributionId } });
  });
});

describe.each<[string, () => Promise<Login | null>, number, string]>([
  ['a caller without credentials', () => Promise.resolve(null), 401, 'unauthenticated'],
  ['a caller with a wrong password', () => Promise.resolve(['api', 'wrong']), 401, 'unauthenticated'],
  [
    'a user without the roles',
    () => service.createUser(`reader${++count}`, 'correct horse battery', ROLES.slice(0, 2)),
    403,
    'forbidden',
  ],
])('%s', (_who, loginOf, status, code) => {
  let login: Login | null;

  beforeAll(async () => {
    login = await loginOf();
  });

  it.each<[string, Sent]>([
    ['broken JSON', { headers: JSON_TYPE, body: '{"a":' }],
    ['a gift', { headers: JSON_TYPE, body: giftText() }],
    ['a wrong content type', { headers: { 'Content-Type': 'text/plain' }, body: 'x' }],
    ['no body', {}],
    ['a body that is too large', { headers: JSON_TYPE, body: 'x'.repeat(200_000) }],
    ['a body in chunks that is too large', { headers: JSON_TYPE, body: Array<string>(20).fill('x'.repeat(10_000)) }],
    ['gzip', { headers: { ...JSON_TYPE, 'Content-Encoding': 'gzip' }, body: 'x' }],
    ['a body that never arrives', { headers: { ...JSON_TYPE, 'Content-Length': 1000 }, unfinished: true }],
  ])(`gets ${status} for any body: %s`, async (_what, sent) => {
    await expectRefused(() => send({ ...sent, login }), status, code);
  });
});
