import { describe, expect, it } from '@jest/globals';
import { readFlag } from './flag.js';
import { fault, read } from './reading.js';

describe('readFlag', () => {
  it.each([[true], ['true'], ['TRUE'], ['True'], [' true\u{A0}']])('reads %p as true', (value) => {
    expect(readFlag(value)).toEqual(read(true));
  });

  it.each([[false], ['false'], ['FALSE'], ['fAlSe'], ['false\n']])('reads %p as false', (value) => {
    expect(readFlag(value)).toEqual(read(false));
  });

  it.each([
    ['yes'],
    ['no'],
    ['1'],
    ['0'],
    [1],
    [0],
    ['t'],
    ['truefalse'],
    ['tr ue'],
    ['fal\u{17F}e'],
    ['"true"'],
    [['true']],
    [{}],
    [null],
  ])('refuses %p', (value) => {
    expect(readFlag(value)).toEqual(fault('must be true or false'));
  });
});
