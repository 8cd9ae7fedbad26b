import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { PersonView } from '../person-view.js';
import { agreementOf } from './agreement.js';
import type { Giver } from './giver.js';

const GIVER: Giver = {
  ...{ first: 'Thomas', last: 'O’Dell', email: 'tom@example.org', phone: '901-555-0101' },
  ...{ address: null, zip: null },
};

function person(details: Partial<PersonView> = {}): PersonView {
  return {
    ...{ peopleId: 1, first: 'Thomas', last: 'ODell', nickname: null, formerLast: null },
    ...{ email: 'tom@example.org', phone: '(901) 555-0101', address: null, zip: null, deceased: false },
    ...{ mergedInto: null, mergedFrom: [], version: '', contacts: [] },
    ...details,
  };
}

const contact = (kind: 'email' | 'phone', value: string): PersonView['contacts'][number] => {
  return { id: 1, peopleId: 1, kind, value, confirmed: false, createdAt: '' };
};

describe('a person and a giver agree', () => {
  it.each<[string, Partial<PersonView>, string[]]>([
    ['in everything', {}, ['lastName', 'firstName', 'email', 'phone']],
    ['in the nickname', { first: 'Eric', nickname: 'THOMAS' }, ['lastName', 'firstName', 'email', 'phone']],
    ['in a short form', { first: 'Tom' }, ['lastName', 'shortForm', 'email', 'phone']],
    ['in a former last name', { last: 'Smith', formerLast: "O'Dell" }, ['lastName', 'firstName', 'email', 'phone']],
    ['not in other names', { first: 'Eric', last: 'Smith' }, ['email', 'phone']],
    ['not in other contacts', { email: 'other@example.org', phone: 'n/a' }, ['lastName', 'firstName']],
    [
      'in contacts that are not confirmed',
      { email: '', phone: '', contacts: [contact('email', 'TOM@example.org'), contact('phone', '+19015550101')] },
      ['lastName', 'firstName', 'email', 'phone'],
    ],
  ])('%s', (_how, details, agrees) => {
    expect(agreementOf(person(details), GIVER, 'US')).toEqual(agrees);
  });

  it('in nothing that both lack', () => {
    const nobody = { email: 'n/a', phone: 'n/a' };
    expect(agreementOf(person(nobody), { ...GIVER, ...nobody }, 'US')).toEqual(['lastName', 'firstName']);
  });

  it('in the name whatever its letter case, spaces and punctuation', () => {
    const noise = fc.constantFrom('', ' ', '-', '.', ',', '’', '\u{200B}');
    const written = fc.array(fc.tuple(fc.constantFrom('a', 'B', 'ö', 'É', 'ß'), noise), {
      minLength: 1,
      maxLength: 20,
    });
    fc.assert(
      fc.property(written, fc.boolean(), (letters, upper) => {
        const plain = letters.map(([letter]) => letter).join('');
        const noisy = letters.map(([letter, sign]) => letter + sign).join('');
        const agrees = agreementOf(
          person({ last: plain }),
          { ...GIVER, last: upper ? noisy.toUpperCase() : noisy },
          'US',
        );
        expect(agrees).toContain('lastName');
      }),
    );
  });
});
