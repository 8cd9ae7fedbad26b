import { describe, expect, it } from '@jest/globals';
import { splitName } from './cell-name.js';

describe('a whole name', () => {
  it.each([
    ['Lee, Ann', 'Ann', 'Lee'],
    ['de la Cruz, María José', 'María José', 'de la Cruz'],
    ['Smith, John, Jr.', 'John', 'Smith Jr.'],
    ['Smith, Jr., John', 'John', 'Smith Jr.'],
    ['  Lee ,  Ann ', 'Ann', 'Lee'],
    ['Lee', undefined, 'Lee'],
    [', Ann', 'Ann', undefined],
    ['', undefined, undefined],
  ])('with the last name first: %j', (name, first, last) => {
    expect(splitName(name, 'Last, First')).toEqual({ first, last });
  });

  it.each([
    ['Ann Lee', 'Ann', 'Lee'],
    ['Mary Ann Lee', 'Mary Ann', 'Lee'],
    ['Ludwig van Beethoven', 'Ludwig', 'van Beethoven'],
    ['Maria De La Cruz', 'Maria', 'De La Cruz'],
    ['John Smith Jr.', 'John', 'Smith Jr.'],
    ['John Smith, III', 'John', 'Smith III'],
    ['John & Mary Smith', 'John & Mary', 'Smith'],
    ['Van Morrison', 'Van', 'Morrison'],
    ['Cher', undefined, 'Cher'],
    [' ', undefined, undefined],
  ])('with the first name first: %j', (name, first, last) => {
    expect(splitName(name, 'First Last')).toEqual({ first, last });
  });
});
