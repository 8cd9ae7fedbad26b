import fc from 'fast-check';
import type { Change } from '../request.js';

const texts = (...values: readonly string[]): string[] => values.map((value) => JSON.stringify(value));

/** Values for any field, as JSON texts. */
const ANYTHING = [
  ...texts('', ' ', '\t\r\n', '\u{200B}', '\u{FEFF}', '\u{A0}\u{3000}', '\u{2800}', '\u{3164}', '\u{AD}', '\u{0}'),
  ...texts('a\u{0}b'),
  ...texts('\ud800', 'a\udc00b', '\ude00\ud83d', '\u{1B}[31m', '\u{7F}', '\u{85}', 'a\nb', 'a\tb', '\u{2028}'),
  ...texts('\u{202E}abc'),
  ...texts('\u{10FFFF}', '\u{FFFE}', '\u{FFFF}', '\u{E000}', '\u{1F468}\u{200D}\u{1F469}', '\u{5D0}\u{5D1}'),
  ...texts('i\u{307}\u{130}\u{131}'),
  ...texts('x'.repeat(100), 'x'.repeat(101), 'x'.repeat(255), 'x'.repeat(256), 'x'.repeat(4000), 'x'.repeat(4001)),
  ...texts(
    'e\u{301}'.repeat(100),
    '\u{FDFA}'.repeat(100),
    '\u{1F600}'.repeat(100),
    `a${'\u{315}\u{300}'.repeat(2_000)}`,
  ),
  ...texts("'); DROP TABLE person;--", '<script>alert(1)</script>', '%s%n%x', '$' + '{7*7}', '{{7*7}}'),
  ...texts('../../etc/passwd', '\\', '"'),
  ...texts('__proto__', 'constructor', 'toString', 'null', 'undefined', 'NaN', 'true', '0', '-1', '1e3', '0x10'),
  ...texts('\r\nBcc: a@example.org'),
  ...['null', 'true', 'false', '0', '-0', '1', '-1', '1.5', '1e400', '-1e400', '1E-7', '9007199254740993', '1e21'],
  ...['[]', '{}', '[[]]', '[null]', '[1,2]', '{"a":1}', '{"toString":1}', '{"valueOf":null}', '{"length":3}'],
  ...['{"then":1}'],
  ...['{"__proto__":null}', '{"constructor":{"name":"x"}}', '"\\u0000"', '"\\ud83d\\ude00"', '"\\/"', '"\\b\\f"'],
];

const AMOUNTS = [
  ...texts('10', '10.5', '10.50', ' 10\u{A0}', '00010', '1,000.00', '1.000,00', '$5', '5 USD', '+5', '-5'),
  ...texts('\u{2212}5', '5-', '1e3'),
  ...texts('0x10', '10.', '.5', '1.234', '1_000', '1 000', '\u{FF11}\u{FF10}', '\u{663}', '0', '0.00', '0.001'),
  ...texts('0.01', 'Infinity'),
  ...texts('999999999.99', '999999999.991', '1000000000', '9'.repeat(5_000), '10\u{0}', '1\n0', '\u{200B}10'),
  ...texts('10\u{200B}'),
  ...['10', '10.0', '10.50', '0.01', '0.001', '4.35', '1.1', '9.95', '1.005', '0.1e1', '1e-2', '1e-3', '1E2', '-0'],
  ...['-0.0', '-0.01'],
  ...['0.30000000000000004', '999999999.99', '999999999.990', '999999999.991', '999999999.9900000001', '1000000000'],
  ...['1e9', '1e8'],
  ...['123456789012345678901234567890', '4503599627370497.5', '0.1000000000000000055511151231257827'],
];

const DATES = [
  ...texts('2026-07-26', '2026-02-29', '2024-02-29', '1900-01-01', '1899-12-31', '2999-01-01', '9999-12-31'),
  ...texts('0000-00-00', '0001-01-01'),
  ...texts('2026-03-08T02:30', '2026-11-01T01:30', '2026-01-01T24:00', '2026-01-01T23:59:60', '2026-W10', '2026-001'),
  ...texts('20260101'),
  ...texts(
    '2026-01-01T00:00:00.123456789Z',
    '2026-01-01T00:00:00.1234567890Z',
    '2026-01-01T00:00+14:00',
    '2026-01-01T00:00-14:00',
  ),
  ...texts(
    '2026-01-01T00:00+24:00',
    '1/1/2026',
    '31/12/2026',
    '1/1/26',
    '13/1/2026',
    '1/1/2026 12:00 AM',
    '1/1/2026 0:00 AM',
  ),
  ...texts('+002026-01-01', '-000001-01-01'),
  ...texts('1970-01-01T00:00:00Z', '275760-09-13', '2026-01-01T10:00[UTC]', 'now', 'today', '1900-01-01T00:00:00Z'),
  ...texts('1900-01-01T00:00+14:00'),
  ...['0', '1767225600000', '1e400', '-1', '8640000000000001'],
];

const IDS = [
  ...['0', '-0', '1', '2', '1.0', '1e0', '10e-1', '1.5', '-1', '2147483647', '2147483648', '4294967297'],
  ...['9007199254740993', '1e400'],
  ...texts('0', '00', '01', '1', ' 1', '1 ', '+1', '-1', '1.0', '1e0', '0x1', '\u{FF11}', '2147483647', '2147483648'),
  ...texts('9'.repeat(40)),
];

const EMAILS = texts(
  ...['nobody', '@example.org', 'a@', 'a@@example.org', 'a b@example.org', '"a b"@example.org', 'a@[127.0.0.1]'],
  ...['a@example', '<a@example.org>'],
  ...[
    'a@example.org,b@example.org',
    'a@example.org\r\nBcc: b@example.org',
    'm\u{FC}ller@b\u{FC}cher.example',
    'a@xn--bcher-kva.example',
  ],
  ...[
    `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(57)}.org`,
    `${'a'.repeat(65)}@example.org`,
    `a@${'b.'.repeat(200)}org`,
  ],
  ...['a@example.org.', '.a@example.org', 'a..b@example.org', '\u{200B}a@example.org'],
  ...[`${'a.'.repeat(5_000)}@example.org`, '%00@example.org'],
);

const PHONES = [
  ...texts('n/a', '+', '+1', '911', '+1 901 489 0611 ext. 5', ';ext=1', 'tel:+19014890611'),
  ...texts('\u{FF19}\u{FF10}\u{FF11}', '0'.repeat(50)),
  ...texts('+'.repeat(50), '9'.repeat(50), '+999 123 456', '1-800-FLOWERS', '(((', '901\u{2011}489\u{2011}0611'),
  ...texts('\u{202D}901 489 0611'),
  ...['9014890611', '9014890611.0', '9.014890611e9', '12345678901234567891', '-9014890611', '0'],
];

const CURRENCIES = [
  ...texts('USD', 'usd', ' uSd\u{A0}', 'EUR', 'eur', 'ZZZ', 'US', 'DOLLARS', '$', '840', 'USD\u{200B}', 'u\u{17F}d'),
  ...['840', '0'],
];

const SPLITS = [
  ...[
    '[]',
    '[{}]',
    '[null]',
    '[[]]',
    '[1]',
    '{}',
    '{"0":{"Amount":1}}',
    '"[]"',
    '[{"Amount":1}]',
    '[{"Amount":"10.00"}]',
  ],
  ...['[{"Amount":0}]', '[{"Amount":-1},{"Amount":2}]', '[{"Amount":1,"amount":1}]', '[{"Amount":1e400}]'],
  ...[
    '[{"Amount":"1","FundId":1,"FundName":"Missions"}]',
    '[{"Amount":"1","FundId":3}]',
    '[{"Amount":"1","Splits":[]}]',
  ],
  ...['[{"Amount":"1","ContributionTypeId":7}]', '[{"Amount":"1","__proto__":{"FundId":2}}]', '[{"toString":1}]'],
  `[${Array.from({ length: 21 }, () => '{"Amount":"1"}').join(',')}]`,
  `[${Array.from({ length: 5_000 }, () => '{}').join(',')}]`,
];

/** More values for each field. */
const POOLS: Readonly<Record<string, readonly string[]>> = {
  First: [],
  Last: [],
  Email: EMAILS,
  Phone: PHONES,
  Amount: AMOUNTS,
  Address: [],
  Zip: ['38103', '38103.0', '-1', ...texts('02134', 'x'.repeat(21))],
  Date: DATES,
  Notes: [],
  Source: [],
  FundId: IDS,
  PeopleId: IDS,
  IgnoreUnknownPerson: ['true', 'false', '1', '0', ...texts('TRUE', 'fal\u{17F}e', ' true ', 'yes', 'on', 't')],
  BundleTypeId: IDS,
  ContributionTypeId: ['7', '8', ...IDS],
  Currency: CURRENCIES,
  TransactionId: texts('same', 'SAME', ' same ', 'e\u{301}'),
  Method: texts('card', 'CARD', 'w\u{17F}allet', 'cheque', 'card,cash', ' other\u{A0}'),
  CheckNumber: ['1042', ...texts('x'.repeat(20), 'x'.repeat(21), '1\n2')],
  Fee: AMOUNTS,
  PayoutId: texts('po_1', 'x'.repeat(100), 'x'.repeat(101)),
  FundName: texts('General', 'g e n e r a l', '\u{FF27}eneral', 'Missions', 'Roof', '-', 'x'.repeat(101)),
  Splits: SPLITS,
};

/** More values for each field of a correction by Finance. */
const POOLS_OF_CORRECTIONS: Readonly<Record<string, readonly string[]>> = {
  Amount: AMOUNTS,
  FundId: IDS,
  Reason: texts('refund', 'other', 'refund,error', ' Returned '),
  Note: [],
};

/** More values for each field of a deposit. */
const POOLS_OF_DEPOSITS: Readonly<Record<string, readonly string[]>> = {
  DepositId: texts('x'.repeat(101), ''),
  Source: texts('x'.repeat(101)),
  Date: texts('2026-02-30', '7/26/2026', '2026-07-26T00:00:00Z', '0000-01-01', '9999-12-31'),
  Amount: [...AMOUNTS, ...texts('-10', '--1', '-1e3')],
  Items: [
    '[]',
    '[{}]',
    '[1]',
    '[{"ContributionId":1,"TransactionId":"a"}]',
    '[{"ContributionId":2000000001}]',
    '[{"TransactionId":"a","Amount":"1"}]',
    '[{"TransactionId":"a","Fee":"-1"}]',
    '[{"TransactionId":"a","transactionid":"b"}]',
    '[{"ReversalOf":1,"RefundId":""}]',
  ],
};

const anyValue = fc.oneof(
  fc.constantFrom(...ANYTHING),
  fc.string({ unit: 'binary', maxLength: 300 }).map((text) => JSON.stringify(text)),
  fc
    .string({ unit: fc.nat({ max: 0xffff }).map((unit) => String.fromCharCode(unit)), maxLength: 30 })
    .map((text) => JSON.stringify(text)),
  fc.double().map((number) => String(number).replace(/^(-?)(NaN|Infinity)$/, '$11e999')),
  fc.integer().map(String),
  fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.stringify(value)),
);

/** A new value for one field, whether the field was sent or not. */
const valueFrom = (pools: Readonly<Record<string, readonly string[]>>): fc.Arbitrary<Change> =>
  fc.constantFrom(...Object.entries(pools)).chain(([name, pool]) => {
    const value = pool.length === 0 ? anyValue : fc.oneof(fc.constantFrom(...pool), anyValue);
    return value.map((text) => ({
      kind: `value: ${name}`,
      members: (all) => [
        ...all.filter((one) => one.name !== JSON.stringify(name)),
        { name: JSON.stringify(name), value: text },
      ],
    }));
  });

/** A new value for a field of a gift. */
export const valueOfField = valueFrom(POOLS);
/** A new value for a field of a correction by Finance. */
export const valueOfCorrection = valueFrom(POOLS_OF_CORRECTIONS);
/** A new value for a field of a deposit. */
export const valueOfDeposit = valueFrom(POOLS_OF_DEPOSITS);
