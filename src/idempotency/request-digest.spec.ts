import { expect, it } from '@jest/globals';
import { REQUEST_VERSION, requestDigest, SentRequest } from './request-digest.js';

const ADDED_IN = { Currency: 2, Later: 3 };
const FIELDS = { Amount: '10.00', Currency: 'USD', Later: 'x' };

const stored = (fields: object, version: number): { request_digest: Buffer; request_version: number } => ({
  request_digest: requestDigest(fields),
  request_version: version,
});

it.each<[number, object]>([
  [1, { Amount: '10.00' }],
  [2, { Amount: '10.00', Currency: 'USD' }],
  [3, FIELDS],
  [4, FIELDS],
])('a request is compared with one stored by version %d by the fields of that version', (version, read) => {
  const sent = new SentRequest(FIELDS, ADDED_IN);
  expect(sent.isSameAs(stored(read, version))).toBe(true);
  expect(sent.isSameAs(stored({ ...read, Amount: '10.01' }, version))).toBe(false);
  expect(sent.isSameAs(stored(read, version === 1 ? 2 : 1))).toBe(false);
});

it('an added field that was not sent does not change the digest', () => {
  const sent = new SentRequest({ Amount: '10.00', Currency: undefined }, ADDED_IN);
  for (const version of [1, 2, 3, REQUEST_VERSION])
    expect(sent.digest(version)).toEqual(requestDigest({ Amount: '10.00' }));
});

it('a request without added fields is the same for every version', () => {
  const sent = new SentRequest({ contributionId: 1, source: 'a' });
  for (const version of [1, 2, 3])
    expect(sent.isSameAs(stored({ source: 'a', contributionId: 1 }, version))).toBe(true);
});
