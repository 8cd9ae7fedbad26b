import fc from 'fast-check';
import type { Change, Header, Request } from '../request.js';

const withHeader = (request: Request, name: string, ...values: readonly string[]): Request => ({
  ...request,
  headers: [
    ...request.headers.filter(([other]) => other.toLowerCase() !== name.toLowerCase()),
    ...values.map((value): Header => [name, value]),
  ],
});

/** A header with one of these values instead of its own. */
const header = (name: string, values: readonly string[], statuses?: readonly number[]): fc.Arbitrary<Change> =>
  fc.constantFrom(...values).map((value) => ({
    kind: `header: ${name}`,
    request: (request) => withHeader(request, name, value),
    ...(statuses !== undefined && { statuses }),
  }));

const utf8 = (text: string): string => Buffer.from(text).toString('latin1');

const base64 = (text: string): string => Buffer.from(text).toString('base64');

const visible = fc.string({
  unit: fc
    .oneof(fc.integer({ min: 0x20, max: 0x7e }), fc.integer({ min: 0x80, max: 0xff }))
    .map((unit) => String.fromCharCode(unit)),
  maxLength: 60,
});

/** Only for gifts: a reversal does not read a body of any type. */
const ofBody: readonly fc.Arbitrary<Change>[] = [
  header(
    'Content-Type',
    ['application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"', 'application/json;a=b'],
    [200],
  ),
  header(
    'Content-Type',
    [
      ...['', 'text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'],
      ...['application/jsonp', 'json', '*/*', ';', '/'],
      ...['application/json; charset=utf-16', 'application/json; charset=latin1', 'application/json, text/plain'],
      ...['text/html', 'application/problem+json', utf8('application/js\u{F6}n'), `text/${'x'.repeat(3_000)}`],
      ...['application/merge-patch+json'],
    ],
    [415],
  ),
  header('Content-Encoding', ['gzip', 'deflate', 'br', 'zstd', 'GZIP', 'gzip, gzip', 'x', 'identity, gzip'], [415]),
  header('Content-Encoding', ['identity', 'Identity'], [200]),
];

/** Not for batches, which ignore the key: each of their gifts has its own id. */
const keys: readonly fc.Arbitrary<Change>[] = [
  header(
    'Idempotency-Key',
    ['', '""', 'x'.repeat(256), utf8('\u{E9}'), utf8('\u{1F600}'), 'a\tb', '\t', `"${'x'.repeat(256)}"`],
    [400],
  ),
  header('Idempotency-Key', [
    ...['same', '"same"', ' same ', '"sa\\"me"', '"', '\\', 'x'.repeat(255), "';--", '__proto__', '0'],
  ]),
  fc.constantFrom('{unique}', '"{unique}"').map((key) => ({
    kind: 'header: a new Idempotency-Key',
    request: (request) => withHeader(request, 'Idempotency-Key', key),
    statuses: [200],
  })),
  fc.constantFrom('{unique}', '"{unique}"').map((key) => ({
    kind: 'the call sent twice under one key',
    request: (request) => withHeader(request, 'Idempotency-Key', key),
    statuses: [200],
    twice: true,
  })),
  fc.constant<Change>({
    kind: 'header: Idempotency-Key twice',
    request: (request) => withHeader(request, 'Idempotency-Key', '{unique}', '{unique}'),
    statuses: [400],
  }),
];

const anywhere: readonly fc.Arbitrary<Change>[] = [
  header(
    'Authorization',
    ['basic {credentials}', 'BASIC {credentials}', 'Basic  {credentials}', '\tBasic {credentials} '],
    [200],
  ),
  header(
    'Authorization',
    [
      ...['', 'Basic', 'Basic ', 'Bearer {credentials}', 'NotBasic {credentials}', 'Basic {credentials} x'],
      ...['Basic {credentials}, Basic {credentials}'],
      ...['Basic !!!!', 'Basic =', `Basic ${base64('api')}`, `Basic ${base64(':')}`, `Basic ${base64('api:')}`],
      ...[`Basic ${base64(':x')}`, 'Basic\t{credentials}'],
      ...[`Basic ${base64('api:\u{0}')}`, `Basic ${'QUJD'.repeat(3_000)}`, utf8('B\u{E4}sic {credentials}')],
      ...['Digest username="api"', 'Basic {credentials}{credentials}'],
    ],
    [401],
  ),
  // Each needs a password check, so there are only two.
  header('Authorization', [`Basic ${base64('api:wrong')}`, `Basic ${base64('nobody:wrong')}`], [401]),
  header(
    'X-Request-Id',
    [
      ...['a', 'A.b_c-9', 'x'.repeat(64), '', 'x'.repeat(65), 'a b', '<b>', utf8('\u{E9}'), '{}', 'a"b', '../..'],
      ...['\t', '%0d%0a'],
    ],
    [200],
  ),
  header(
    'X-Forwarded-For',
    [
      ...['127.0.0.1', '1.2.3.4, 5.6.7.8', '::1', 'unknown', '', ',', '_x', '999.999.999.999', "'; --"],
      ...['x'.repeat(5_000), utf8('\u{1F600}')],
    ],
    [200],
  ),
  fc
    .tuple(
      fc.constantFrom(
        ...['Host', 'X-Forwarded-Host', 'X-Forwarded-Proto', 'Forwarded', 'X-HTTP-Method-Override', 'X-Original-URL'],
        ...['X-Rewrite-URL'],
        ...['Referer', 'Cookie', 'Accept', 'Accept-Encoding', 'Accept-Language', 'If-None-Match', 'If-Match'],
        ...['If-Modified-Since', 'Range'],
        ...['TE', 'Via', 'Max-Forwards', 'Prefer', 'Content-Language', 'Content-Disposition', 'Content-MD5'],
        ...['User-Agent', 'Date', '__proto__'],
        ...['constructor', 'Pragma', 'Proxy-Authorization', 'Keep-Alive', 'Traceparent'],
        ...['Content-Range', 'Warning', 'From'],
      ),
      fc.oneof(
        fc.constantFrom(
          '',
          '*',
          '0',
          'DELETE',
          'http://evil.example/',
          '127.0.0.1:99999',
          'bytes=0-0',
          'x'.repeat(4_000),
        ),
        visible,
      ),
    )
    .map(([name, value]) => ({
      kind: 'header: any other header',
      request: (request) => withHeader(request, name, value),
      statuses: [200],
    })),
  header('Sec-Fetch-Site', ['none', 'same-origin'], [200]),
  header('Sec-Fetch-Site', ['cross-site', 'same-site', 'x', '', 'none, none'], [403]),
  header('Origin', ['http://127.0.0.1', 'https://127.0.0.1', 'http://127.0.0.1:80', 'HTTPS://127.0.0.1:443'], [200]),
  header(
    'Origin',
    [
      ...['null', '', 'http://evil.example', 'http://127.0.0.1:81', 'http://127.0.0.1:443', '127.0.0.1', '*'],
      ...['http://127.0.0.1/', 'http://127.0.0.1, http://evil.example', 'http://127.0.0.1@evil.example'],
      ...['file://127.0.0.1', utf8('http://\u{E9}'), 'x'.repeat(4_000)],
    ],
    [403],
  ),
  header('Expect', ['100-continue', '200-ok', ''], [200]),
  header('Connection', ['close', 'keep-alive', 'Authorization, close', 'x'], [200]),
  fc.integer({ min: 1, max: 300 }).map((count) => ({
    kind: 'header: many more headers',
    request: (request) => ({
      ...request,
      headers: [...request.headers, ...Array.from({ length: count }, (_, i): Header => [`X-${i}`, 'x'])],
    }),
    statuses: [200],
  })),
  fc.integer({ min: 8_000, max: 40_000 }).map((length) => ({
    kind: 'header: a long header',
    request: (request) => withHeader(request, 'X-Long', 'x'.repeat(length)),
    statuses: [200, 431],
  })),
  fc.nat({ max: 10 }).map((i) => ({
    kind: 'header: drop a header',
    request: (request) => ({ ...request, headers: without(request.headers, i) }),
    statuses: [200, 401, 415],
  })),
  fc.constantFrom('Authorization', 'Content-Type', 'Host', 'X-Request-Id').map((name) => ({
    kind: 'header: repeat a header',
    request: (request) => ({
      ...request,
      headers: request.headers.flatMap((one) => (one[0] === name ? [one, one] : [one])),
    }),
  })),
  fc.boolean().map((upper) => ({
    kind: 'header: names in another letter case',
    request: (request) => ({
      ...request,
      headers: request.headers.map(([name, value]): Header => [upper ? name.toUpperCase() : name.toLowerCase(), value]),
    }),
    statuses: [200],
  })),
];

/** Drops a header except Content-Length. Without it, the body would be read as the next request. */
function without(headers: readonly Header[], index: number): Header[] {
  const droppable = headers.filter(([name]) => name !== 'Content-Length');
  const dropped = droppable[index % droppable.length];
  return headers.filter((one) => one !== dropped);
}

/** A change in the headers of a gift. */
export const headersOfGift: fc.Arbitrary<Change> = fc.oneof(...ofBody, ...keys, ...anywhere);
/** A change in the headers of a batch. */
export const headersOfBatch: fc.Arbitrary<Change> = fc.oneof(
  ...ofBody,
  ...anywhere,
  fc.constant<Change>({ kind: 'the batch sent twice', statuses: [200], twice: true }),
);
/** A change in the headers of any call that takes a key. */
export const headersOfAny: fc.Arbitrary<Change> = fc.oneof(...keys, ...anywhere);
