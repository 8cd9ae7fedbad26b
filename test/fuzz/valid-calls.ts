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
  FundId: oneOf(1, '1', 0),
  PeopleId: oneOf(1, '1', 0, ''),
  IgnoreUnknownPerson: oneOf(false, 'False', ''),
  BundleTypeId: oneOf(4, 20, '5'),
  ContributionTypeId: oneOf(1, '5', 20),
  Currency: oneOf('USD', 'usd', ' Usd ', ''),
};

const members: fc.Arbitrary<readonly Member[]> = fc
  .tuple(
    fc.record(REQUIRED),
    fc.record(Object.fromEntries(Object.entries(OPTIONAL).map(([field, value]) => [field, optional(value)]))),
    fc.option(fc.constant('{unique}'), { nil: null, freq: 3 }),
  )
  .map(([required, others, transactionId]) => {
    const withId = transactionId === null ? {} : { Source: json('fuzz'), TransactionId: json(transactionId) };
    const all: Record<string, string | null> = { ...required, ...others, ...withId };
    return Object.entries(all).flatMap(([field, value]) => (value === null ? [] : [{ name: json(field), value }]));
  });

/** A valid gift. */
export const gift: fc.Arbitrary<Call> = fc.record({ members });

/** A reversal of a gift that is not reversed. */
export const reversal: fc.Arbitrary<Call> = fc.record({
  source: fc.oneof(
    fc.constantFrom('txt2give', 'Give Now', 'a/b', '..', 'Caf\u{E9}', '\u{1F600}'.repeat(100)),
    fc.string({ unit: 'grapheme-ascii', maxLength: 98 }).map((text) => `s${text}`),
  ),
});
