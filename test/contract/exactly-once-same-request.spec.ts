import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { DateTime } from 'luxon';
import type supertest from 'supertest';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { addedGift, refusal, sendGift, wire } from './gift-requests.js';
import type { Details } from './givers.js';
import { addUnder, completeGift, first, newKey, replay } from './repeated-requests.js';

let service: TestApp;
/** The PeopleId of a known person. */
let known: number;

beforeAll(async () => {
  service = await startTestApp();
  known = (await addedGift(service, {})).PeopleId;
});
afterAll(() => service.stop());

/** Fields that replace those of a complete gift. */
type Change = object | ((sent: Details) => object);

const changed = (sent: Details, change: Change): object => ({
  ...sent,
  ...(typeof change === 'function' ? (change(sent) as object) : change),
});

const NOTHING = [undefined, null, '', ' \t', '\u{200B}'];
const NO_ID = [...NOTHING, 0, '0', wire('0.0')];

/** All changes of a row make the same request. */
const SAME: readonly [string, readonly Change[]][] = [
  [
    'an amount in any notation',
    ['10', 10, wire('10.00'), '10.0', wire('1e1'), ' 10.00\u{A0}'].map((Amount) => ({ Amount })),
  ],
  ['an amount with decimals', ['10.5', 10.5, '10.50', '010.5'].map((Amount) => ({ Amount }))],
  ['a phone as number and as text', [{ Phone: 9015550101 }, { Phone: '9015550101' }, { Phone: wire('9015550101.0') }]],
  ['a zip as number and as text', [{ Zip: 38103 }, { Zip: '38103' }]],
  ['an id as number and as text', [{ FundId: 1 }, { FundId: '1' }, { FundId: wire('1.0') }]],
  ['a flag as boolean and as text', [{ IgnoreUnknownPerson: false }, { IgnoreUnknownPerson: ' FALSE ' }]],
  ['a text with space around it', ['a note', ' a note\u{3000}', '\u{FEFF}a note\n'].map((Notes) => ({ Notes }))],
  ['a text in composed and decomposed form', [{ Source: 'Caf\u{E9}' }, { Source: 'Cafe\u{301}' }]],
  ['a day in either notation', ['2026-07-04', '7/4/2026', ' 07/04/2026 '].map((date) => ({ Date: date }))],
  [
    'a clock reading in any notation',
    ['2026-07-04T15:05', '2026-07-04 15:05:00.000', '7/4/2026 3:05 PM'].map((date) => ({ Date: date })),
  ],
  ['an instant at any offset', ['2026-07-04T15:05Z', '2026-07-04 10:05-05:00'].map((date) => ({ Date: date }))],
  ['no date in any notation', NOTHING.map((date) => ({ Date: date }))],
  ...['Address', 'Zip', 'Notes', 'Source', 'IgnoreUnknownPerson', 'TransactionId'].map((name): [string, Change[]] => [
    `no ${name} in any notation`,
    NOTHING.map((value) => ({ [name]: value })),
  ]),
  ...['FundId', 'PeopleId', 'BundleTypeId', 'ContributionTypeId'].map((name): [string, Change[]] => [
    `no ${name} in any notation`,
    NO_ID.map((value) => ({ [name]: value })),
  ]),
  [
    'names in any letter case',
    [{}, ({ First }) => ({ First: undefined, FIRST: First }), { Amount: undefined, aMOUNT: '10' }],
  ],
  ['any unknown fields', [{}, { Extra: 1 }, { Extra: [{ Amount: '5' }], constructor: {} }]],
];

describe('a repeated request is recognized with', () => {
  it.each(SAME)('%s', async (_what, changes) => {
    const [key, sent] = [newKey(), completeGift()];
    const answer = await first(addUnder(service, key, changed(sent, changes[0] ?? {})));
    for (const change of changes) await replay(service, () => addUnder(service, key, changed(sent, change)), answer);
  });

  it.each<[string, (sent: object) => string]>([
    ['the fields in another order', (sent) => JSON.stringify(Object.fromEntries(Object.entries(sent).reverse()))],
    ['other white space and a byte order mark', (sent) => `\u{FEFF} ${JSON.stringify(sent, null, '\t')}\r\n`],
    ['letters written as escapes', (sent) => JSON.stringify(sent).replace('"First":"A', '"\\u0046irst":"\\u0041')],
  ])('%s, other headers and another spelling of the path', async (_what, write) => {
    const [key, sent] = [newKey(), completeGift()];
    const answer = await first(addUnder(service, key, sent));
    const again = (): supertest.Test =>
      service
        .http()
        .post('/API/addcontribution/?dryRun=false')
        .auth(...service.login)
        .set({
          'Idempotency-Key': `"${key}"`,
          'Content-Type': 'application/json; charset=utf-8',
          'User-Agent': 'other',
        });
    await replay(service, () => again().send(write(sent)), answer);
  });
});

const today = (): string => DateTime.utc().toISODate();

/** The two changes of a row make different requests, although many of them record the same gift. */
const DIFFERENT: readonly [string, Change, Change][] = [
  ['the amount', { Amount: '10' }, { Amount: '10.01' }],
  ['the first name', {}, { First: 'Bea' }],
  ['the last name', {}, { Last: 'Ray' }],
  ['the letter case of a name', {}, ({ Last }) => ({ Last: Last.toUpperCase() })],
  ['the e-mail', {}, { Email: 'another@example.org' }],
  ['the letter case of the e-mail', {}, ({ Email }) => ({ Email: Email.toUpperCase() })],
  ['the notation of the phone', { Phone: '9015550101' }, { Phone: '901-555-0101' }],
  ['the address', { Address: '1 Main St' }, { Address: '2 Main St' }],
  ['the zip', { Zip: '02134' }, { Zip: 2134 }],
  ['the notes', {}, { Notes: 'n' }],
  ['the source', { Source: 'a' }, { Source: 'b' }],
  ['a source and none', { Source: 'a' }, {}],
  ['the date', { Date: '2026-07-04' }, { Date: '2026-07-05' }],
  ['a day and its first moment', { Date: '2026-07-04' }, { Date: '2026-07-04T00:00' }],
  ['no date and today', {}, () => ({ Date: today() })],
  ['no fund and the default fund', {}, { FundId: 1 }],
  ['no person and a known one', {}, () => ({ PeopleId: known })],
  ['no bundle type and the default one', {}, { BundleTypeId: 4 }],
  ['the bundle type', { BundleTypeId: 4 }, { BundleTypeId: 20 }],
  ['no contribution type and the default one', {}, { ContributionTypeId: 1 }],
  ['the contribution type', { ContributionTypeId: 1 }, { ContributionTypeId: 5 }],
  ['no transaction id and one', { Source: 'a' }, { Source: 'a', TransactionId: 'one' }],
  ['a letter moved between neighbouring fields', { Address: 'ab', Zip: 'c' }, { Address: 'a', Zip: 'bc' }],
];

describe('a request is refused under the same key when it differs in', () => {
  it.each(
    DIFFERENT.flatMap(([what, one, two]) => [
      [what, one, two] as const,
      [`${what}, in reverse order`, two, one] as const,
    ]),
  )('%s', async (_what, one, two) => {
    const [key, sent] = [newKey(), completeGift()];
    const answer = await first(addUnder(service, key, changed(sent, one)));
    await refusal(service, () => addUnder(service, key, changed(sent, two)), 422, 'idempotency_key_reused');
    await replay(service, () => addUnder(service, key, changed(sent, one)), answer);
  });

  it('IgnoreUnknownPerson', async () => {
    const [key, sent] = [newKey(), completeGift()];
    await first(sendGift(service, sent));
    await first(addUnder(service, key, { ...sent, IgnoreUnknownPerson: true }));
    const other = { ...sent, IgnoreUnknownPerson: false };
    await refusal(service, () => addUnder(service, key, other), 422, 'idempotency_key_reused');
  });
});

describe('an invalid request under a used key', () => {
  it.each([
    ['an invalid field', { Amount: 'x' }, 400, 'invalid_request'],
    ['a missing field', { Last: undefined }, 400, 'invalid_request'],
  ])('gets the error of its fields: %s', async (_what, change, status, code) => {
    const [key, sent] = [newKey(), completeGift()];
    const answer = await first(addUnder(service, key, sent));
    await refusal(service, () => addUnder(service, key, { ...sent, ...change }), status, code);
    await replay(service, () => addUnder(service, key, sent), answer);
  });
});
