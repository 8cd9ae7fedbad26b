import { describe, expect, it } from '@jest/globals';
import { InvalidRequestError } from '../../../http/index.js';
import { assertNotShortened } from './shortened-id.js';

describe('an id', () => {
  it.each([
    '1.23457E+15',
    '1.23457E15',
    '1.234567890123E18',
    '12.3457E+14',
    '1.23457E+5',
    '1,23457E+15',
    '-1.5e-7',
    '1e+16',
    '123E+2',
  ])('is refused if a spreadsheet has shortened it: %s', (id) => {
    expect(() => {
      assertNotShortened(id);
    }).toThrow(InvalidRequestError);
  });

  it.each(['4E12', '12E345', '1e9', 'E+15', '1.5', '1.5.E3', '1.23E', 'a1.2E5', '1.2E5b', '1,2', '4000000000000000'])(
    'is accepted in other forms: %s',
    (id) => {
      expect(() => {
        assertNotShortened(id);
      }).not.toThrow();
    },
  );
});
