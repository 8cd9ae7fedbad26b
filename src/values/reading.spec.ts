import { describe, expect, it } from '@jest/globals';
import { fault, isFault, read } from './reading.js';

describe('a reading', () => {
  it('can be a value, even if that is undefined', () => {
    expect(read(7)).toEqual({ value: 7 });
    expect(isFault(read(undefined))).toBe(false);
  });

  it('can be a fault', () => {
    expect(fault('must be text')).toEqual({ fault: 'must be text' });
    expect(isFault(fault('must be text'))).toBe(true);
  });
});
