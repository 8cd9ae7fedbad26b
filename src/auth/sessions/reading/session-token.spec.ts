import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { digestOfSessionToken, formTokenOf, generateSessionToken, isSessionToken } from './session-token.js';

describe('a token of a session', () => {
  it('is 32 random bytes', () => {
    const tokens = Array.from({ length: 1_000 }, generateSessionToken);
    expect(new Set(tokens).size).toBe(1_000);
    for (const token of tokens) expect([token, isSessionToken(token)]).toEqual([token, true]);
    expect(Buffer.from(tokens[0] ?? '', 'base64url')).toHaveLength(32);
  });

  it('has a digest and a form token that tell nothing of it', () => {
    const token = generateSessionToken();
    expect(digestOfSessionToken(token)).toHaveLength(32);
    expect(formTokenOf(token)).not.toContain(token);
    expect(formTokenOf(token)).not.toBe(digestOfSessionToken(token).toString('base64url'));
  });

  it('is no other text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(isSessionToken(text)).toBe(/^[\w-]{43}$/.test(text));
      }),
    );
  });
});
