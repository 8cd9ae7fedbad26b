import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isFault, read } from './reading.js';
import { readId, readPathId } from './id.js';

const ids = fc.integer({ min: 1, max: 2147483647 });

describe('readId', () => {
  it('reads a JSON integer and its plain decimal text as the same id', () => {
    fc.assert(
      fc.property(ids, (id) => {
        expect(readId(id)).toEqual(read(id));
        expect(readId(String(id))).toEqual(read(id));
      }),
    );
  });

  it.each([[2147483647], ['2147483647']])('accepts the highest id, %p', (value) => {
    expect(readId(value)).toEqual(read(2147483647));
  });

  it('reads a JSON number by its value', () => {
    expect(readId(JSON.parse('1.0'))).toEqual(read(1));
    expect(readId(JSON.parse('1e3'))).toEqual(read(1000));
  });

  it.each([[0], ['0'], [-0]])('reads %p as absent', (value) => {
    expect(readId(value)).toEqual(read(undefined));
  });

  it.each([
    [2147483648],
    ['2147483648'],
    ['9'.repeat(400)],
    [-1],
    ['-1'],
    [1.5],
    ['1.5'],
    ['1.0'],
    [true],
    [false],
    [NaN],
    [Infinity],
    ['0x1'],
    ['1e1'],
    ['+1'],
    [' 1 '],
    ['1\n'],
    ['007'],
    ['00'],
    ['\u{661}'],
    ['\u{FF11}'],
    [''],
    [[1]],
    [{ valueOf: 1 }],
    [null],
  ])('refuses %p', (value) => {
    expect(isFault(readId(value))).toBe(true);
  });

  it('refuses every other text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(isFault(readId(text))).toBe(!/^(0|[1-9][0-9]{0,9})$/.test(text));
      }),
    );
  });
});

describe('readPathId', () => {
  it('reads the digits of an id', () => {
    fc.assert(
      fc.property(ids, (id) => {
        expect(readPathId(String(id))).toEqual(read(id));
      }),
    );
    expect(readPathId('2147483647')).toEqual(read(2147483647));
  });

  it.each([
    '0',
    '00',
    '01',
    '-1',
    '+1',
    '1e1',
    '0x1',
    ' 1',
    '1 ',
    '1\n',
    '1.0',
    '',
    'abc',
    '\u{661}',
    '2147483648',
    '9'.repeat(400),
  ])('refuses %j', (text) => {
    expect(isFault(readPathId(text))).toBe(true);
  });
});
