import { describe, expect, it } from '@jest/globals';
import { fault, isFault, read } from './reading.js';

describe('a reading', () => {
  it('is a value, also when that value is undefined', () => {
    expect(read(7)).toEqual({ value: 7 });
    expect(isFault(read(undefined))).toBe(false);
  });

  it('or a fault', () => {
    expect(fault('must be text')).toEqual({ fault: 'must be text' });
    expect(isFault(fault('must be text'))).toBe(true);
  });
});
