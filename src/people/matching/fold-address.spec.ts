import { describe, expect, it } from '@jest/globals';
import { hasNoContacts, isSameAddress } from './fold-address.js';

const at = (address: string | null, zip: string | null = null): { address: string | null; zip: string | null } => ({
  address,
  zip,
});

describe('two addresses', () => {
  it.each([
    [at('1 Main Street'), at('1 MAIN ST.')],
    [at('1 Main Street, Apartment 2'), at('1 Main St\nApt. 2')],
    [at('12 North Elm Avenue', '38103'), at('12 N Elm Ave', '38103-1234')],
    [at('12 N Elm Ave', '38103'), at('12 N Elm Ave')],
    [at('Calle Ñandú 5'), at('calle nandu 5')],
  ])('are the same in any usual spelling: %j, %j', (one, other) => {
    expect(isSameAddress(one, other)).toBe(true);
    expect(isSameAddress(other, one)).toBe(true);
  });

  it.each([
    [at('1 Main Street'), at('11 Main Street')],
    [at('1 Main Street', '38103'), at('1 Main Street', '38104')],
    [at('1 Main Street'), at('1 Main Street, Apt 2')],
    [at(null), at(null)],
    [at(' - '), at(' - ')],
    [at(null, '38103'), at(null, '38103')],
  ])('are different, or unknown: %j, %j', (one, other) => {
    expect(isSameAddress(one, other)).toBe(false);
  });
});

it.each([
  ['', '', true],
  [' ', '\u{200B}', true],
  ['ann@example.org', '', false],
  ['', 'n/a', false],
])('a giver with e-mail %j and phone %j has no contacts: %s', (email, phone, expected) => {
  expect(hasNoContacts({ email, phone })).toBe(expected);
});
