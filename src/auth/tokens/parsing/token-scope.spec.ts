import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readScopes, TOKEN_SCOPES } from './token-scope.js';

const separator = fc.constantFrom(',', ', ', ' ,', '  ,  ');

it('reads any list of scopes, each once and in one order', () => {
  const list = fc.array(fc.constantFrom(...TOKEN_SCOPES), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(list, separator, (names, between) => {
      const expected = TOKEN_SCOPES.filter((scope) => names.includes(scope));
      expect(readScopes(names.join(between))).toEqual({ value: expected });
    }),
  );
});

it.each(['', ',', 'add,', ',add', 'Add', 'write', 'add;read', 'add read', 'add,,read', 'all', '*', 'constructor'])(
  'refuses %j, and says which scopes there are',
  (text) => {
    expect(readScopes(text)).toEqual({
      fault: 'must be one or more of add, reverse, read, preview, separated by commas',
    });
  },
);

it('refuses a list with any other name in it', () => {
  const other = fc
    .string()
    .filter((name) => !name.includes(',') && !(TOKEN_SCOPES as readonly string[]).includes(name.trim()));
  fc.assert(
    fc.property(other, fc.constantFrom(...TOKEN_SCOPES), (name, scope) => {
      expect(readScopes(`${scope},${name}`)).toHaveProperty('fault');
      expect(readScopes(`${name},${scope}`)).toHaveProperty('fault');
    }),
  );
});
