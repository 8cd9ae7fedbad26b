import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { fromCents } from '../../src/values/index.js';
import { type Login, startTestApp, type TestApp } from '../support/test-app.js';
import type { Added } from '../contract/gift-requests.js';

const FINANCE: Login = ['treasurer', 'correct horse battery'];

let service: TestApp;
let count = 0;
let firstPerson: number | undefined;

beforeAll(async () => {
  service = await startTestApp();
  await service.createUser(...FINANCE, ['Finance']);
});
afterAll(() => service.stop());

/** Limits the property to a few seconds on any machine. */
const LIMITS = { numRuns: 40, interruptAfterTimeLimit: 20_000 };

const word = fc.constantFrom(
  ...[
    'Ann',
    'anna',
    'José',
    'MARÍA',
    'Łukasz',
    'Strauß',
    "O'Dell",
    'D’Arcy',
    'van',
    'der',
    'Berg',
    'St.',
    'Δέσποινα',
    'Иван',
    '王',
  ],
);
const name = fc
  .array(fc.tuple(word, fc.constantFrom(' ', '-', ' & ')), { minLength: 1, maxLength: 3 })
  .map((parts) => parts.flat().slice(0, -1).join(''));
const digits = fc.integer({ min: 100, max: 199 }).map((number) => `0${number}`);

const gift = fc.record(
  {
    First: name,
    Last: name,
    Email: fc.tuple(word, fc.nat(20)).map(([, n]) => `Giver-${n}@Example.org`),
    Phone: fc.oneof(
      digits.map((last) => `(901) 555-${last}`),
      digits.map((last) => `+1901555${last}`),
      digits.map((last) => `555 ${last}`),
    ),
    Amount: fc.integer({ min: 1, max: 99_999_999_999 }).map((cents) => fromCents(BigInt(cents))),
    Notes: fc.array(word, { minLength: 1, maxLength: 5 }).map((words) => `${words.join(', ')}!`),
    CheckNumber: fc.integer({ min: 1, max: 999_999 }).map((number) => `0${number}`),
    hasTransactionId: fc.boolean(),
    isForFirst: fc.boolean(),
  },
  { requiredKeys: ['First', 'Last', 'Email', 'Phone', 'Amount', 'hasTransactionId', 'isForFirst'] },
);

async function isFoundBy(q: string, id: number): Promise<boolean> {
  for (let after: string | null = '0'; after !== null;) {
    const position = after === '0' ? '' : `&after=${after}`;
    const answer = await service.get(`Gifts?limit=200&q=${encodeURIComponent(q)}${position}`, FINANCE).expect(200);
    const { gifts, next } = answer.body as { gifts: { contributionId: number }[]; next: string | null };
    if (gifts.some(({ contributionId }) => contributionId === id)) return true;
    after = next;
  }
  return false;
}

it('each gift is found by each of its own details, whoever it belongs to', async () => {
  await fc.assert(
    fc.asyncProperty(gift, async ({ hasTransactionId, isForFirst, ...fields }) => {
      const transaction = hasTransactionId ? { TransactionId: `T-${(count += 1)}`, Source: 'shop' } : {};
      const person = isForFirst && firstPerson !== undefined ? { PeopleId: firstPerson } : {};
      const sent = { ...fields, ...transaction, ...person };
      const { ContributionId, PeopleId } = (await service.add(sent).expect(200)).body as Added;
      firstPerson ??= PeopleId;
      const details = [
        ...[fields.First, fields.Last, `${fields.Last} ${fields.First}`, fields.Email, fields.Phone, fields.Amount],
        ...[fields.Notes, fields.CheckNumber, transaction.TransactionId, String(ContributionId)],
      ].filter((detail) => detail !== undefined);
      for (const detail of details) expect([detail, await isFoundBy(detail, ContributionId)]).toEqual([detail, true]);
    }),
    LIMITS,
  );
}, 60_000);
