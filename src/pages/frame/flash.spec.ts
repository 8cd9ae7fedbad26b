import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { flashQuery, readFlash } from './flash.js';

const queryOf = (query: string): Record<string, string> => Object.fromEntries(new URLSearchParams(query));

it('a message reaches the next page of its session unchanged', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 80 }), fc.string(), (message, token) => {
      expect(readFlash(queryOf(flashQuery(message, token)), token)).toBe(message);
    }),
  );
});

it('a long message is cut, but not lost', () => {
  const read = readFlash(queryOf(flashQuery('x'.repeat(501), 'token')), 'token');
  expect(read).toBe(`${'x'.repeat(499)}…`);
  expect(readFlash(queryOf(flashQuery('x'.repeat(500), 'token')), 'token')).toBe('x'.repeat(500));
});

it('a message of another session, or one that was changed, is not shown', () => {
  const query = queryOf(flashQuery('Bundle 12 is closed.', 'one'));
  expect(readFlash(query, 'two')).toBeUndefined();
  expect(readFlash({ ...query, flash: 'Bundle 13 is closed.' }, 'one')).toBeUndefined();
  expect(readFlash({ flash: 'Call this number.' }, 'one')).toBeUndefined();
  expect(readFlash({ flash: ['a', 'b'], mac: 'x' }, 'one')).toBeUndefined();
  expect(readFlash({}, 'one')).toBeUndefined();
});
