import { createHash } from 'node:crypto';
import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseBearerToken } from '../../schemes/bearer-token.js';
import { digestOfToken, generateToken, isTokenText, modeOfToken } from './token-text.js';

it.each([
  ['live', /^offt_[A-Za-z0-9_-]{43}$/],
  ['test', /^offt_test_[A-Za-z0-9_-]{43}$/],
] as const)('generates tokens of 256 random bits for the mode %s, each another', (mode, shape) => {
  const tokens = Array.from({ length: 1_000 }, () => generateToken(mode));
  for (const token of tokens) {
    expect(token).toMatch(shape);
    expect(Buffer.from(token.slice(-43), 'base64url')).toHaveLength(32);
    expect(modeOfToken(token)).toBe(mode);
  }
  expect(new Set(tokens).size).toBe(tokens.length);
});

it('tells a live token from one of a test system, even if its random part begins like one', () => {
  expect(modeOfToken(`offt_test_${'a'.repeat(38)}`)).toBe('live');
  expect(modeOfToken(`offt_test_${'a'.repeat(43)}`)).toBe('test');
  expect(modeOfToken(`offt_Test_${'a'.repeat(43)}`)).toBe('live');
});

it('recognises a token by its prefix alone, in exactly this spelling', () => {
  expect(isTokenText(generateToken('live'))).toBe(true);
  expect(isTokenText('offt_')).toBe(true);
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(isTokenText(`offt_${text}`)).toBe(true);
      expect(isTokenText(` offt_${text}`)).toBe(false);
    }),
  );
  for (const text of ['OFFT_a', 'offt', 'offt-a', ' offt_a', 'aofft_'])
    expect([text, isTokenText(text)]).toEqual([text, false]);
});

it('stores the SHA-256 of the whole token', () => {
  const token = generateToken('live');
  expect(digestOfToken(token)).toEqual(createHash('sha256').update(token).digest());
});

it('reads a token behind the scheme Bearer, in any letter case', () => {
  const token = generateToken('live');
  for (const header of [`Bearer ${token}`, `bearer ${token}`, `BEARER   ${token}`, ` Bearer ${token} `])
    expect(parseBearerToken(header)).toBe(token);
});

it.each([
  undefined,
  '',
  'Bearer',
  'Bearer ',
  'Bearer x',
  'Bearer YXBpOm9mZnRfYQ==',
  'NotBearer offt_a',
  'Basic offt_a',
  'Bearer offt_a b',
  'Bearer offt_a, Bearer offt_b',
  'Bearer\tofft_a',
  'Bearer offt_a:b',
  `Bearer offt_${'a'.repeat(10_000)}`,
])('finds no token in %j', (header) => {
  expect(parseBearerToken(header)).toBeUndefined();
});
