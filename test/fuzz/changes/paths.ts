import fc from 'fast-check';
import type { Change } from '../request.js';

const target = (kind: string, targets: readonly string[], statuses?: readonly number[]): fc.Arbitrary<Change> =>
  fc.constantFrom(...targets).map((path) => ({
    kind,
    request: (request) => ({ ...request, target: path }),
    ...(statuses !== undefined && { statuses }),
  }));

const query = (kind: string, queries: readonly string[], statuses?: readonly number[]): fc.Arbitrary<Change> =>
  fc.constantFrom(...queries).map((text) => ({
    kind,
    request: (request) => ({ ...request, target: request.target + text }),
    ...(statuses !== undefined && { statuses }),
  }));

/** Text that can be part of a request target. Other bytes are tested by the changes of wire.ts. */
const targetBytes = fc.string({
  unit: fc.oneof(
    fc.integer({ min: 0x21, max: 0x7e }).map((unit) => String.fromCharCode(unit)),
    fc.nat({ max: 255 }).map((byte) => `%${byte.toString(16).padStart(2, '0')}`),
    fc.constantFrom('%', '%2', '%zz', '%c3', '%ed%a0%80', '%2F', '%2e', '/', '..', '?', '#', ';', '&', '\\'),
  ),
  minLength: 1,
  maxLength: 20,
});

const method = (allowed: string): fc.Arbitrary<Change> =>
  fc
    .constantFrom(
      'GET',
      'PUT',
      'PATCH',
      'DELETE',
      'OPTIONS',
      'HEAD',
      'TRACE',
      'PROPFIND',
      'LOCK',
      'MERGE',
      'PURGE',
      'SEARCH',
      'QUERY',
    )
    .filter((name) => name !== allowed)
    .map((name) => ({
      kind: 'method',
      request: (request) => ({ ...request, method: name }),
      // Node answers 400 to methods that its version does not know.
      statuses: [405, 400],
    }));

const anySuffix = targetBytes.map((text): Change => ({
  kind: 'path: a suffix',
  request: (request) => ({ ...request, target: request.target + text }),
}));

const anyInsertion = fc.tuple(fc.nat({ max: 40 }), targetBytes).map(([position, text]): Change => ({
  kind: 'path: an insertion',
  request: (request) => {
    const at = 1 + (position % request.target.length);
    return { ...request, target: request.target.slice(0, at) + text + request.target.slice(at) };
  },
}));

const anywhere: readonly fc.Arbitrary<Change>[] = [
  method('POST'),
  anySuffix,
  anyInsertion,
  query('query: without parameters', ['?', '?&', '?&&', `?${'&'.repeat(2_000)}`, '#x', '?#y', '/?'], [200]),
  query(
    'query: an unknown parameter',
    [
      ...['?a=b', '?a', '?=', '?=b', '?__proto__=1', '?a[b][c]=1', '?%', '?%00', '?%zz=1', '?a=%ff', '?a=b#x', '?x#y'],
      ...[`?${'a=1&'.repeat(1_500)}`, `?${'x'.repeat(7_000)}`, '?constructor[prototype][x]=1', '?a[]=1&a[]=2'],
      ...['?dryRn=true', '?xdryRun=true', '?dryRun[]x=true', '?dryRun[]=true', '?dry_run=true', '?dryRun%00=true'],
      ...[`?${'&'.repeat(2_000)}a=b`, '?Idempotency-Key=x', '?First=Bea&a=b', '?;a=b'],
    ],
    [400],
  ),
  target(
    'path: an unknown path',
    [
      ...['//', '/Api', '/Api/', '/x/Api/AddContribution', '/Api//AddContribution', '/Api/AddContribution//'],
      ...['/Api%2FAddContribution', '/%', '/%zz', '/%00', '/..', `/${'x/'.repeat(3_000)}`, `/${'%41'.repeat(2_000)}`],
      ...['/favicon.ico', '/Api/ReverseContribution', '/Api/ReverseContribution/1', '/Api/ReverseContribution/1/a/b'],
    ],
    [404, 400],
  ),
  target('path: an invalid target', ['*', 'Api/AddContribution', '?', 'http://', 'nonsense', '\\Api'], [400, 404]),
];

const ofGift: readonly fc.Arbitrary<Change>[] = [
  target(
    'path: another spelling',
    [
      ...['/api/addcontribution', '/API/ADDCONTRIBUTION/', '/aPi/aDDcontribution'],
      ...['http://x.example/Api/AddContribution', '/Api/AddContribution/?'],
    ],
    [200],
  ),
  query(
    'query: a dry run',
    [
      ...['?dryRun=true', '?dryrun=TRUE', '?DRYRUN=%74rue', '?&dryRun=true&', '?dryRun=true#x', '?dry%52un=true'],
      ...['?dryRun=%20true+', `?${'&'.repeat(2_000)}dryRun=true`],
    ],
    [200],
  ),
  query('query: an unknown parameter', ['?Amount=5', '?amount=200', '?refundId=x'], [400]),
  query('query: dryRun=false', ['?dryRun=false', '?dryRun=False'], [200]),
  query(
    'query: an invalid dryRun',
    [
      ...['?dryRun', '?dryRun=', '?dryRun=1', '?dryRun=yes', '?dryRun=true&dryRun=true', '?dryRun=true&dryrun=false'],
      ...['?dryRun=%00', '?dryRun=true%00', '?dryRun=%ff', '?dryRun=tru%C3%A9', '?x=1&dryRun=true'],
    ],
    [400],
  ),
];

type Cases = readonly (readonly [text: string, status: number])[];

const cases = (status: number, ...texts: readonly string[]): Cases => texts.map((text) => [text, status]);

/** Ids in a path. In the initial books, 1 is a reversed gift and 2 its reversing entry. */
const IDS: Cases = [
  ...cases(200, '{gift}'),
  ...cases(409, '1', '2', '%31'),
  ...cases(404, '2147483647', '2000000001'),
  ...cases(400, '0', '01', '-1', '+1', '1e1', '0x1', '1.0', '1,0', '%201', '1%20', '1%00', '%EF%BC%91', 'NaN', 'null'),
  ...cases(
    400,
    '2147483648',
    '9'.repeat(400),
    '{gift}.0',
    '{gift}%0a',
    '0{gift}',
    '%2B{gift}',
    '{gift}%2F',
    '__proto__',
  ),
  ...cases(400, '%', '%zz', '%ff', '%c3%28', '%ed%a0%80', "1'--", '{}', '*'),
];

const SOURCES: Cases = [
  ...cases(200, 'txt2give', 'Give%20Now', 'a%2Fb', 'a+b', 'a%252Fb', '%2e%2e', '%20x%C2%A0', 'Cafe%CC%81', '0'),
  ...cases(200, '%F0%9F%98%80'.repeat(100), '%22%3Cb%3E%27--'),
  ...cases(400, '%', '%f', '%zz', '%ff', 'a%c3', '%c0%af', '%ed%a0%80', '%00', 'a%00b', 'x%0d%0aBcc:%20e@example.org'),
  ...cases(400, '%20', '%C2%A0', '%E2%80%8B', '%EF%BB%BF', 'a%09b', 'a%1bb', 'a%7Fb', 'a%C2%85b', 'x'.repeat(101)),
  ...cases(400, '%F0%9F%98%80'.repeat(101), 'e%CC%81'.repeat(101), 'x'.repeat(8_000)),
];

const percentEncoded = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }).map((text) => encodeURIComponent(text)),
  fc
    .uint8Array({ minLength: 1, maxLength: 30 })
    .map((bytes) => [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')),
);

const reverse = (kind: string, id: string, source: string, statuses?: readonly number[]): Change => ({
  kind,
  request: (request) => ({ ...request, target: `/Api/ReverseContribution/${id}/${source}` }),
  ...(statuses !== undefined && { statuses }),
});

const ofReversal: readonly fc.Arbitrary<Change>[] = [
  fc.constantFrom(...IDS).map(([id, status]) => reverse('path: the id of a reversal', id, 'a', [status])),
  fc
    .constantFrom(...SOURCES)
    .map(([source, status]) => reverse('path: the source of a reversal', '{gift}', source, [status])),
  percentEncoded.map((source) => reverse('path: any source of a reversal', '{gift}', source)),
  percentEncoded.map((id) => reverse('path: any id of a reversal', id, 'a')),
  target(
    'path: another spelling',
    ['/api/reversecontribution/{gift}/a', '/API/REVERSECONTRIBUTION/{gift}/a/', '/Api/ReverseContribution/{gift}/a?'],
    [200],
  ),
  fc
    .constantFrom(
      '{"id":1}',
      '{"Amount":"5"}',
      '{',
      '[]',
      '0',
      'id=1&source=b',
      '\u{0}',
      '\u{200B}',
      'x'.repeat(70_000),
    )
    .map((body) => ({
      kind: 'a body that is refused',
      request: (request) => ({ ...request, body: Buffer.from(body) }),
      statuses: [400],
    })),
  fc.constantFrom('{}', ' { }\n', 'null', ' ', '\u{FEFF}{}', '\u{A0}').map((body) => ({
    kind: 'a body without content',
    request: (request) => ({ ...request, body: Buffer.from(body) }),
    statuses: [200],
  })),
];

/** Queries of a reversal of a gift of which at least a cent is left, and at most the largest amount. */
const QUERIES: Cases = [
  ...cases(200, '?amount=0.01', '?AMOUNT=0.01', '?amount=00.01', '?reason=refund'),
  ...cases(200, '?Reason=RETURNED', '?reason=%20error%20', '?refundId={unique}', '?amount=0.01&reason=duplicate&'),
  ...cases(422, '?amount=999999999.99', '?fundId=2147483647', '?fundId=2147483647&amount=0.01'),
  ...cases(400, '?amount=', '?amount', '?amount=0', '?amount=0.00', '?amount=-1', '?amount=%2B1'),
  ...cases(400, '?amount=1e-2', '?amount=0.001', '?amount=1,00', '?amount=$1', '?amount=NaN', '?amount=1000000000'),
  ...cases(
    400,
    '?amount=0.01&amount=0.01',
    '?amount=0.01&Amount=0.01',
    '?amount[]=0.01',
    '?amount=%ff',
    '?amount=1%00',
  ),
  ...cases(400, '?reason=', '?reason=other', '?reason=refund&reason=error', '?reason=refund,error', '?reason=0'),
  ...cases(
    400,
    '?refundId=',
    '?refundId=%20',
    `?refundId=${'x'.repeat(101)}`,
    '?refundId=a%0Ab',
    '?refundId=a&refundId=b',
  ),
  ...cases(400, '?fundId=', '?fundId=0', '?fundId=01', '?fundId=-1', '?fundId=1.0', '?fundId=x', '?fundId=2147483648'),
  ...cases(400, '?amount=0.01&x=1', '?note=x', '?Source=a', '?dryRun=true', '?TransactionId=x', '?amout=1'),
];

const withQuery = (kind: string, text: string, statuses?: readonly number[]): Change => ({
  kind,
  request: (request) => ({ ...request, target: request.target.replace(/\?.*$/s, '') + text }),
  ...(statuses !== undefined && { statuses }),
});

const anyName = fc.constantFrom('amount', 'reason', 'fundId', 'refundId');

/** A change in the query of a reversal. */
export const queryOfReversal: fc.Arbitrary<Change> = fc.oneof(
  {
    arbitrary: fc.constantFrom(...QUERIES).map(([text, status]) => withQuery('query: of a reversal', text, [status])),
    weight: 3,
  },
  fc
    .tuple(anyName, fc.oneof(percentEncoded, fc.integer().map(String), fc.double().map(String), targetBytes))
    .map(([name, value]) => withQuery('query: any value of a reversal', `?${name}=${value}`)),
);

/** A change in path, query or method of a batch. */
export const pathOfBatch: fc.Arbitrary<Change> = fc.oneof(
  ...anywhere,
  query('query: an unknown parameter', ['?dryRun=true', '?dryRun=false', '?amount=1'], [400]),
);

/** A change in path, query or method of a gift. */
export const pathOfGift: fc.Arbitrary<Change> = fc.oneof(...ofGift, ...anywhere);
/** A change in path, query or method of a reversal, or an added body. */
export const pathOfReversal: fc.Arbitrary<Change> = fc.oneof(...ofReversal, ...ofReversal, ...anywhere);
