import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readAmount, readSignedAmount } from './amount.js';
import { isFault, type MinorUnits, read } from '../index.js';
import { withDecimals } from './currency.js';

function faultOf(value: unknown, minorUnits: MinorUnits = 2): string | undefined {
  const reading = readAmount(value, minorUnits);
  return isFault(reading) ? reading.fault : undefined;
}

/** The exact text of an amount in cents, made without the code under test. */
function ofCents(cents: bigint): string {
  return `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`;
}

const cents = fc.bigInt({ min: 1n, max: 99_999_999_999n });

describe('readAmount', () => {
  it.each([
    ['10', '10.00'],
    ['10.5', '10.50'],
    [JSON.parse('10.50'), '10.50'],
    [10, '10.00'],
    ['0.01', '0.01'],
    [0.01, '0.01'],
    ['0.1', '0.10'],
    ['999999999.99', '999999999.99'],
    [999999999.99, '999999999.99'],
    ['007.50', '7.50'],
    ['000', undefined],
    ['00.10', '0.10'],
    [`${'0'.repeat(50)}1`, '1.00'],
    [' 10.50\u{A0}\n', '10.50'],
    [JSON.parse('1e2'), '100.00'],
  ])('reads %p as %p', (value, amount) => {
    expect(readAmount(value, 2)).toEqual(amount === undefined ? { fault: 'must be at least 0.01' } : read(amount));
  });

  it('reads every amount exactly, as text and as JSON number', () => {
    fc.assert(
      fc.property(cents, (count) => {
        const text = ofCents(count);
        expect(readAmount(text, 2)).toEqual(read(text));
        expect(readAmount(JSON.parse(text), 2)).toEqual(read(text));
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    '1,000.00',
    '1 000',
    '$5',
    '5 USD',
    '+5',
    '1e3',
    '0x10',
    '1.',
    '.5',
    '1.005',
    '1.000',
    '1,50',
    '1..0',
    '\u{661}\u{660}',
    '\u{FF11}',
    'ten',
    '',
    '5\u{0}',
  ])('refuses the text %j and says which notation is accepted', (text) => {
    expect(faultOf(text)).toMatch(/^must be digits with at most two decimals/);
  });

  it.each([[true], [null], [undefined], [['5']], [{}], [NaN], [Infinity], [1.005], [0.1 + 0.2], [1e-7], [1e21]])(
    'refuses the value %p',
    (value) => {
      expect(faultOf(value)).toMatch(/^must be digits with at most two decimals/);
    },
  );

  it.each([[-25], ['-25'], ['-0.01'], [-1e-7], ['\u{2212}25'], [' -25 ']])(
    'refuses %p and names ReverseContribution',
    (value) => {
      expect(faultOf(value)).toMatch(/ReverseContribution/);
    },
  );

  it.each([[0], [-0], ['0'], ['0.00'], ['000.0']])('refuses %p', (value) => {
    expect(faultOf(value)).toBe('must be at least 0.01');
  });

  it.each([['1000000000'], [1e15], [1000000000], ['999999999999.99'], ['9'.repeat(60_000)]])(
    'refuses amounts over the limit (case %#)',
    (value) => {
      expect(faultOf(value)).toBe('must be at most 999999999.99');
    },
  );

  it('is not slowed down by hostile texts', () => {
    const start = performance.now();
    for (const text of [
      '0'.repeat(300_000),
      `${'0'.repeat(300_000)}x`,
      `${'9'.repeat(300_000)}.9`,
      `1${' '.repeat(300_000)}1`,
    ]) {
      expect(faultOf(text)).toBeDefined();
    }
    expect(performance.now() - start).toBeLessThan(1000);
  });

  it('reads any value or refuses it in one sentence that does not repeat it', () => {
    fc.assert(
      fc.property(fc.anything(), fc.constantFrom<MinorUnits>(0, 1, 2), (value, minorUnits) => {
        const reading = readAmount(value, minorUnits);
        expect(isFault(reading) ? reading.fault : reading.value).toMatch(/^(must be .+|\d{1,9}\.\d\d)$/);
      }),
    );
  });

  it.each<[unknown, MinorUnits, string]>([
    ['1000', 0, '1000.00'],
    [1000, 0, '1000.00'],
    ['999999999', 0, '999999999.00'],
    ['1', 0, '1.00'],
    ['10.5', 1, '10.50'],
    ['999999999.9', 1, '999999999.90'],
  ])('reads %p in a currency of %d decimals', (value, minorUnits, amount) => {
    expect(readAmount(value, minorUnits)).toEqual(read(amount));
  });

  it.each<[unknown, MinorUnits, RegExp]>([
    ['1000.00', 0, /the currency has no decimals/],
    ['1000.', 0, /the currency has no decimals/],
    [10.5, 0, /the currency has no decimals/],
    ['0', 0, /at least 1$/],
    ['1000000000', 0, /at most 999999999$/],
    ['10.50', 1, /at most one decimal/],
    ['0.0', 1, /at least 0\.1$/],
    ['1000000000', 1, /at most 999999999\.9$/],
  ])('refuses %p in a currency of %d decimals', (value, minorUnits, message) => {
    expect(faultOf(value, minorUnits)).toMatch(message);
  });
});

describe('a read amount', () => {
  it('is shown in a form that can be sent again', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 999_999_999 }),
        fc.constantFrom<MinorUnits>(0, 1, 2),
        (whole, minorUnits) => {
          const reading = readAmount(whole, minorUnits);
          const amount = isFault(reading) ? '' : reading.value;
          expect(readAmount(withDecimals(amount, minorUnits), minorUnits)).toEqual(reading);
        },
      ),
    );
  });
});

describe('readSignedAmount', () => {
  it.each([
    ['10', '10.00'],
    ['-10', '-10.00'],
    ['\u{2212}0.01', '-0.01'],
    [-12.5, '-12.50'],
    [0, '0.00'],
    ['-0.00', '0.00'],
    [' -999999999.99 ', '-999999999.99'],
  ])('reads %p as %p', (value, amount) => {
    expect(readSignedAmount(value, 2)).toEqual(read(amount));
  });

  it.each([['--1'], ['- 1'], ['+1'], ['-'], [''], ['-1,000'], [-1e-7], [NaN], [null], [true], ['-1000000000'], ['1-']])(
    'refuses %p',
    (value) => {
      const reading = readSignedAmount(value, 2);
      expect(isFault(reading) && reading.fault).toMatch(/^must be /);
    },
  );

  it('reads every amount and its opposite exactly', () => {
    fc.assert(
      fc.property(cents, (count) => {
        expect(readSignedAmount(`-${ofCents(count)}`, 2)).toEqual(read(`-${ofCents(count)}`));
        expect(readSignedAmount(ofCents(count), 2)).toEqual(read(ofCents(count)));
      }),
    );
  });
});
