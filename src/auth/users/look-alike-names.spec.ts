import { describe, expect, it } from '@jest/globals';
import { lookAlike } from './look-alike-names.js';

describe('lookAlike', () => {
  it.each([
    ['txt2give', 'TXT2Give'],
    ['txt2give', 'txt2give\u200B'],
    ['txt2give', 'ｔｘｔ２give'],
    ['txt2give', 't\u0445t2give'],
    ['txt2give', 'txt2g\u0456v\u0435'],
    ['paypal', 'paypaI'],
    ['paypal', 'payp\u0430l'],
    ['paypal', 'paypa1'],
    ['church office', 'church\u00A0office'],
    ['church office', 'church  office'],
    ['modern', 'rnodern'],
    ['jürgen', 'JU\u0308RGEN'],
    ['straße', 'stra\u00DFe'],
    ['\u0440\u043E\u0441\u0430', 'poca'],
  ])('is true for %j and %j', (one, other) => {
    expect([lookAlike(one, other), lookAlike(other, one)]).toEqual([true, true]);
  });

  it.each([
    ['txt2give', 'text2give'],
    ['api', 'api2'],
    ['treasurer', 'treasurer 2'],
    ['jürgen', 'jurgen'],
    ['office', 'officer'],
    ['李', '王'],
  ])('is false for %j and %j', (one, other) => {
    expect([lookAlike(one, other), lookAlike(other, one)]).toEqual([false, false]);
  });
});
