import fc from 'fast-check';
import type { Call, Member } from './request.js';

/** A JSON text; null leaves the member out. */
type Value = fc.Arbitrary<string | null>;

const json = (value: unknown): string => JSON.stringify(value);

const oneOf = (...values: readonly (string | number | boolean)[]): fc.Arbitrary<string> =>
  fc.constantFrom(...values.map(json));

/** Names of which some repeat, so that some gifts match and others create new persons. */
const NAMES = [
  'Ann',
  'Jos\u{E9}',
  'Anne-Marie',
  'O\u{2019}Dell',
  '\u{674E}',
  'S\u{F8}ren',
  'De La Cruz',
  '\u{1F600}',
  "D'Arc",
];
const name = fc.oneof(
  oneOf(...NAMES),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).map((text) => json(`N${text}`)),
);

const word = fc.stringMatching(/^[a-z0-9]{1,12}$/);
const email = fc.oneof(
  oneOf('ann@example.org', 'Jose@Example.org', 'office@example.net'),
  fc.tuple(word, word).map(([box, host]) => json(`${box}@${host}.example.org`)),
);

const phone = fc.oneof(
  oneOf('901-489-0611', '(901) 489-0611', 9014890611, 'n/a', '+44 20 7946 0958'),
  fc.integer({ min: 2_000_000_000, max: 9_999_999_999 }).map(json),
);

/** An amount in one of the accepted notations. */
const amount = fc.tuple(fc.integer({ min: 1, max: 99_999_999_999 }), fc.nat({ max: 4 })).map(([cents, notation]) => {
  const text = `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
  return [json(text), text, json(` ${text}\u{A0}`), `${cents}e-2`, json(text.replace(/\.?0+$/, ''))][notation] ?? text;
});

const optional = (value: fc.Arbitrary<string>): Value => fc.option(value, { nil: null, freq: 2 });

const REQUIRED = { First: name, Last: name, Email: email, Phone: phone, Amount: amount };
const OPTIONAL = {
  Address: oneOf('1 Main St\nApt 2', '', 'x'.repeat(255)),
  Zip: oneOf('02134', 38103),
  Date: oneOf('2026-07-26', '2026-07-26T09:30:00-05:00', '7/26/2026 9:30 AM', '1900-01-01', ' 2026-02-01 02:39:46.5 '),
  Notes: fc.string({ unit: 'grapheme', maxLength: 50 }).map(json),
  Source: oneOf('txt2give', 'Caf\u{E9}', "x'); --"),
  PeopleId: oneOf(1, '1', 0, ''),
  IgnoreUnknownPerson: oneOf(false, 'False', ''),
  BundleTypeId: oneOf(4, 20, '5'),
  ContributionTypeId: oneOf(1, '5', 20),
  Currency: oneOf('USD', 'usd', ' Usd ', ''),
  Method: oneOf('card', 'ACH', 'Check', ' cash ', ''),
  CheckNumber: oneOf('1042', '', 'x'.repeat(20)),
  Fee: oneOf('0', 0, '0.01', 0.01, ''),
};

/** How a gift names its fund. The books have the funds 1 General and 2 Missions. */
const FUNDS: readonly Readonly<Record<string, string | number>>[] = [
  {},
  { FundId: 1 },
  { FundId: 2 },
  { FundName: 'missions' },
  { FundName: 'G\u{E9}n-eral ', FundId: '1' },
];

const membersOf = (fields: Readonly<Record<string, string | null>>): Member[] =>
  Object.entries(fields).flatMap(([field, value]) => (value === null ? [] : [{ name: json(field), value }]));

const jsonFields = (fields: Readonly<Record<string, string | number>>): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, json(value)]));

const decimal = (cents: number): string => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;

/** An amount in parts, and the fields that say so. */
const splits = fc
  .array(fc.record({ cents: fc.integer({ min: 1, max: 9_999_999 }), fund: fc.constantFrom(...FUNDS) }), {
    minLength: 1,
    maxLength: 20,
  })
  .map((parts) => ({
    Amount: json(decimal(parts.reduce((total, { cents }) => total + cents, 0))),
    Splits: json(parts.map(({ cents, fund }, index) => ({ ...fund, Amount: decimal(cents), Notes: `part ${index}` }))),
  }));

const payment: fc.Arbitrary<Record<string, string>> = fc.oneof(
  { arbitrary: fc.constantFrom(...FUNDS).map(jsonFields), weight: 3 },
  { arbitrary: splits, weight: 1 },
);

const ids = fc.constantFrom<Record<string, string>>(
  {},
  { Source: json('fuzz'), TransactionId: json('{unique}') },
  { Source: json('fuzz'), TransactionId: json('{unique}'), PayoutId: json('po_1') },
);

const membersWith = (ofIds: fc.Arbitrary<Record<string, string>>): fc.Arbitrary<readonly Member[]> =>
  fc
    .tuple(
      fc.record(REQUIRED),
      fc.record(Object.fromEntries(Object.entries(OPTIONAL).map(([field, value]) => [field, optional(value)]))),
      payment,
      ofIds,
    )
    .map((fields) => membersOf(Object.assign({}, ...fields) as Record<string, string | null>));

/** A valid gift. */
export const gift: fc.Arbitrary<Call> = fc.record({ kind: fc.constant('gift'), members: membersWith(ids) });

/** A batch of valid gifts. */
export const batch: fc.Arbitrary<Call> = fc.record({
  kind: fc.constant('batch'),
  gifts: fc.array(membersWith(ids.filter((fields) => 'TransactionId' in fields)), { minLength: 1, maxLength: 5 }),
});

const source = fc.oneof(
  fc.constantFrom('txt2give', 'Give Now', 'a/b', '..', 'Caf\u{E9}', '\u{1F600}'.repeat(100)),
  fc.string({ unit: 'grapheme-ascii', maxLength: 98 }).map((text) => `s${text}`),
);

/** A reversal of all that is left of a gift. */
export const reversal: fc.Arbitrary<Call> = fc.record({
  kind: fc.constant('reversal'),
  source,
  query: fc.constant(''),
});

/** The parameters of a reversal of any gift: at least a cent is left of it. */
const query = fc
  .subarray(['amount=0.01', 'reason=ChargeBack', 'refundId={unique}', 'amount=%200.01+', 'reason=refund'])
  .map((sent) => sent.filter((one) => !sent.some((other) => other < one && other.split('=')[0] === one.split('=')[0])))
  .map((sent) => (sent.length === 0 ? '' : `?${sent.join('&')}`));

/** A reversal with a query, by the id of the gift or by its own id. */
export const partialReversal: fc.Arbitrary<Call> = fc.record({
  kind: fc.constantFrom('reversal', 'reversal of a transaction'),
  source,
  query,
});

/** A correction by Finance of a gift of 1.00 in fund 1; for a reinstatement, of a reversed one. */
export const correction: fc.Arbitrary<Call> = fc.oneof(
  fc
    .record({
      Amount: optional(oneOf('0.01', 0.5, '1')),
      FundId: optional(oneOf(1, '1')),
      Reason: oneOf('refund', 'RETURNED', ' error '),
      Note: optional(oneOf('Check 1042\nbounced', '')),
    })
    .map((fields): Call => ({ kind: 'correction', what: 'reverse', members: membersOf(fields) })),
  fc
    .record({ FundId: oneOf(2, '2'), Reason: oneOf('The roof', 'x'.repeat(4_000)) })
    .map((fields): Call => ({ kind: 'correction', what: 'move', members: membersOf(fields) })),
  fc
    .record({ Note: optional(oneOf('Dispute won', '')) })
    .map((fields): Call => ({ kind: 'correction', what: 'reinstate', members: membersOf(fields) })),
);

/** A deposit of gifts that are not in the books, each with another id. */
export const deposit: fc.Arbitrary<Call> = fc
  .record({
    DepositId: fc.constant(json('{unique}')),
    Source: oneOf('fuzz', 'Caf\u{E9}'),
    Date: oneOf('2026-07-26', '2026-02-28'),
    Amount: optional(fc.oneof(amount, oneOf('-12.50', 0, '\u{2212}0.01'))),
    Items: optional(
      fc
        .array(fc.record({ isReversal: fc.boolean(), Fee: fc.constantFrom(undefined, '0', '0.59', 1) }), {
          minLength: 1,
          maxLength: 5,
        })
        .map((items) =>
          json(
            items.map(({ isReversal, Fee }, index) => ({
              [isReversal ? 'ReversalOfTransaction' : 'TransactionId']: `{unique}-${index}`,
              Fee,
            })),
          ),
        ),
    ),
  })
  .map((fields) => ({ kind: 'deposit', members: membersOf(fields) }));
