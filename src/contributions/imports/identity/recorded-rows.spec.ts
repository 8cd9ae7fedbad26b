import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Church } from '../../../config/index.js';
import { asciiOf } from './recorded-rows.js';
import { RowIdentities } from './row-identity.js';

const IDENTITIES = new RowIdentities(new Church('Grace', 'America/Chicago', 'US', 'USD', 2, 'M/D/Y'));
const ascii = fc
  .string({
    unit: fc.integer({ min: 32, max: 126 }).map((code) => String.fromCharCode(code)),
    minLength: 1,
    maxLength: 100,
  })
  .filter((name) => name.trim() !== '');

describe('the letters and digits of a name in ASCII', () => {
  it('are changed by folding only in case, so that gifts can be filtered by them', () => {
    fc.assert(
      fc.property(ascii, (name) => {
        const { first } = IDENTITIES.nameOf({ first: name, last: name });
        expect(asciiOf(first)).toBe(name.toLowerCase().replace(/[^a-z0-9]/g, ''));
      }),
    );
  });
});
