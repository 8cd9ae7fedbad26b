import { afterEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Settings } from 'luxon';
import {
  churchDay,
  churchToday,
  isGiftDateInRange,
  readGiftDate,
  resolveGiftDate,
  type ResolvedGiftDate,
} from './gift-date.js';
import { isFault, read } from '../index.js';

const DAY_MS = 86_400_000;
/** The default order of dates with slashes for a church in the United States. */
const US = 'M/D/Y';
const zones = fc.constantFrom(...Intl.supportedValuesOf('timeZone'), 'UTC');
const days = fc
  .integer({ min: Date.UTC(1900, 0, 1) / DAY_MS, max: Date.UTC(2100, 11, 31) / DAY_MS })
  .map((day) => new Date(day * DAY_MS).toISOString().slice(0, 10));
// The days since 1900 that a zone skipped because it moved across the date line.
const skippedDays = new Set([
  'Pacific/Apia 2011-12-30',
  'Pacific/Fakaofo 2011-12-30',
  'Pacific/Enderbury 1994-12-31',
  'Pacific/Kanton 1994-12-31',
  'Pacific/Kiritimati 1994-12-31',
  'Pacific/Kwajalein 1993-08-21',
]);

function resolve(text: string, zone: string): ResolvedGiftDate {
  const reading = readGiftDate(text, US);
  if (isFault(reading)) throw new Error(reading.fault);
  return resolveGiftDate(reading.value, zone);
}

function spelled({ instant, day }: ResolvedGiftDate): string {
  return `${instant.toISOString()} on ${day}`;
}

describe('readGiftDate', () => {
  it.each([
    ['2026-07-26', '2026-07-26'],
    [' 2026-07-26\n', '2026-07-26'],
    ['2024-02-29', '2024-02-29'],
    ['7/26/2026', '2026-07-26'],
    ['07/26/2026', '2026-07-26'],
    ['1/5/2026', '2026-01-05'],
    ['0050-01-01', '0050-01-01'],
  ])('reads %j as the day %s', (text, day) => {
    expect(readGiftDate(text, US)).toEqual(read({ kind: 'day', day }));
  });

  it.each([
    ['2026-02-01 02:39:46', '2026-02-01T02:39:46.000'],
    ['2026-02-01T02:39', '2026-02-01T02:39:00.000'],
    ['2026-02-01T23:59:59.9', '2026-02-01T23:59:59.900'],
    ['2026-02-01T23:59:59.999999999', '2026-02-01T23:59:59.999'],
    ['1969-12-31T23:59:59.1239', '1969-12-31T23:59:59.123'],
    ['1/15/2026 3:05 PM', '2026-01-15T15:05:00.000'],
    ['1/15/2026 3:05pm', '2026-01-15T15:05:00.000'],
    ['1/15/2026 03:05:09 Am', '2026-01-15T03:05:09.000'],
    ['1/15/2026 12:00 AM', '2026-01-15T00:00:00.000'],
    ['1/15/2026 12:00 PM', '2026-01-15T12:00:00.000'],
    ['1/15/2026 0:30', '2026-01-15T00:30:00.000'],
    ['1/15/2026 23:59:59', '2026-01-15T23:59:59.000'],
  ])('reads %j as the clock reading %s', (text, local) => {
    expect(readGiftDate(text, US)).toEqual(read({ kind: 'local', local }));
  });

  it.each([
    ['2026-02-01T02:39:46Z', '2026-02-01T02:39:46.000Z'],
    ['2026-02-01 02:39Z', '2026-02-01T02:39:00.000Z'],
    ['2025-12-31T23:30:00-06:00', '2026-01-01T05:30:00.000Z'],
    ['2025-12-31T23:30:00.1239-0600', '2026-01-01T05:30:00.123Z'],
    ['2025-12-31T23:30-06', '2026-01-01T05:30:00.000Z'],
    ['2026-01-01T05:30:00+05:45', '2025-12-31T23:45:00.000Z'],
    ['2026-01-01T05:30:00-03:30', '2026-01-01T09:00:00.000Z'],
    ['2026-01-01T00:00:00+14:00', '2025-12-31T10:00:00.000Z'],
    ['2026-01-01T00:00:00-14', '2026-01-01T14:00:00.000Z'],
    ['2026-01-01T00:00:00-00:00', '2026-01-01T00:00:00.000Z'],
  ])('reads %j as the instant %s', (text, instant) => {
    expect(readGiftDate(text, US)).toEqual(read({ kind: 'instant', instant }));
  });

  it.each([
    [
      'days that do not exist',
      [
        '2026-02-30',
        '2025-02-29',
        '1900-02-29',
        '2026-13-01',
        '2026-00-10',
        '2026-01-00',
        '2/30/2026',
        '13/1/2026',
        '0/1/2026',
      ],
    ],
    [
      'other ISO forms',
      [
        '2026-W10',
        '2026-W10-1',
        '2026-001',
        '2026-01',
        '20261127',
        '2022',
        '20260201T023946Z',
        '--07-26',
        '+002026-07-26',
      ],
    ],
    [
      'times that do not exist',
      [
        '2026-01-01T24:00',
        '2026-01-01T24:00:00',
        '2026-01-01T23:60',
        '2026-12-31T23:59:60Z',
        '1/1/2026 24:00',
        '1/1/2026 1:60',
      ],
    ],
    ['hours outside of the 12-hour clock', ['1/1/2026 13:00 PM', '1/1/2026 0:30 AM', '1/1/2026 00:30 PM']],
    [
      'offsets over 14 hours, and invalid ones',
      [
        '2026-01-01T00:00+14:01',
        '2026-01-01T00:00-15:00',
        '2026-01-01T00:00+1',
        '2026-01-01T00:00+01:60',
        '2026-01-01T00:00+',
      ],
    ],
    ['offsets without a time', ['2026-01-01Z', '2026-01-01+01:00']],
    [
      'fractions that are too long, too short or misplaced',
      ['2026-01-01T00:00:00.', '2026-01-01T00:00:00.1234567890', '2026-01-01T00:00.5', '2026-01-01T00.5'],
    ],
    [
      'other separators',
      [
        '2026-01-01  10:00',
        '2026-01-01_10:00',
        '2026-01-01t10:00',
        '2026-01-01T10:00z',
        '2026-01-01T10:00 Z',
        '2026/01/01',
        '1-15-2026',
        '1/15/26',
        '1/15/2026T10:00',
        '1/15/2026 3:05  PM',
        '1/15/2026 3 PM',
        '15.1.2026',
      ],
    ],
    ['digits that are not ASCII', ['\u{662}\u{660}\u{662}\u{666}-01-01', '\u{FF12}\u{FF10}\u{FF12}\u{FF16}-01-01']],
    ['text around the date', ['2026-01-01\n2026-01-02', '2026-01-01\u{0}', 'x2026-01-01', '2026-01-01x']],
    ['blank texts', ['', ' ']],
  ])('refuses %s', (_, texts) => {
    expect(texts.filter((text) => !isFault(readGiftDate(text, US)))).toEqual([]);
  });

  it.each([[20261127], [1764201600000], [true], [null], [['2026-01-01']], [new Date(0)]])('refuses %p', (value) => {
    expect(isFault(readGiftDate(value, US))).toBe(true);
  });

  it('reads year-first texts as the same instant as JavaScript, or refuses them', () => {
    const two = fc.integer({ min: 0, max: 62 }).map((part) => String(part).padStart(2, '0'));
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 9999 }), fc.tuple(two, two, two, two, two), (year, [m, d, h, min, s]) => {
        const text = `${String(year).padStart(4, '0')}-${m}-${d}T${h}:${min}:${s}Z`;
        const reading = readGiftDate(text, US);
        if (!isFault(reading))
          expect(reading).toEqual(read({ kind: 'instant', instant: new Date(text).toISOString() }));
      }),
      { numRuns: 2000 },
    );
  });

  it('reads all notations of a day as the same day', () => {
    fc.assert(
      fc.property(days, (day) => {
        const [year, month, dayOfMonth] = day.split('-').map(Number);
        const iso = readGiftDate(day, undefined);
        expect(readGiftDate(`${month}/${dayOfMonth}/${year}`, 'M/D/Y')).toEqual(iso);
        expect(readGiftDate(`${dayOfMonth}/${month}/${year}`, 'D/M/Y')).toEqual(iso);
      }),
    );
  });
});

describe('the order of dates with slashes', () => {
  it.each([
    ['03/04/2026', 'M/D/Y', { kind: 'day', day: '2026-03-04' }],
    ['03/04/2026', 'D/M/Y', { kind: 'day', day: '2026-04-03' }],
    ['13/04/2026', 'D/M/Y', { kind: 'day', day: '2026-04-13' }],
    ['31/12/2026 11:30 PM', 'D/M/Y', { kind: 'local', local: '2026-12-31T23:30:00.000' }],
    ['31/12/2026 23:30:05', 'D/M/Y', { kind: 'local', local: '2026-12-31T23:30:05.000' }],
  ] as const)('reads %s in %s', (text, order, date) => {
    expect(readGiftDate(text, order)).toEqual(read(date));
  });

  it.each([
    ['13/04/2026', 'M/D/Y', 'must be a day that the calendar has, read as M/D/YYYY'],
    ['04/13/2026', 'D/M/Y', 'must be a day that the calendar has, read as D/M/YYYY'],
    ['30/02/2026', 'D/M/Y', 'must be a day that the calendar has, read as D/M/YYYY'],
    ['03/04/26', 'D/M/Y', expect.stringContaining('or D/M/YYYY with an optional h:mm AM or PM')],
    ['03/04/26', 'M/D/Y', expect.stringContaining('or M/D/YYYY with an optional h:mm AM or PM')],
    ['2026/04/03', 'D/M/Y', expect.stringContaining('must be an ISO 8601 date')],
  ] as const)('refuses %s in %s', (text, order, message) => {
    expect(readGiftDate(text, order)).toEqual({ fault: message });
  });

  it.each(['03/04/2026', '13/04/2026', '5/5/2026', '7/26/2026 9:30 AM'])('is needed to read %s', (text) => {
    expect(readGiftDate(text, undefined)).toEqual({
      fault: expect.stringMatching(/must be an ISO 8601 date such as 2026-04-03.*CHURCH_SLASH_DATES/),
    });
  });

  it.each(['03/04/26', 'nonsense', ''])('is not offered to a church without one for %j', (text) => {
    expect(readGiftDate(text, undefined)).toEqual({ fault: expect.not.stringContaining('/') });
  });
});

describe('resolveGiftDate', () => {
  const realNow = Settings.now;
  afterEach(() => {
    Settings.now = realNow;
  });

  const cases: [string, string, string][] = [
    ['2026-07-26', 'America/Chicago', '2026-07-26T05:00:00.000Z on 2026-07-26'],
    ['2026-02-01 02:39:46', 'America/Chicago', '2026-02-01T08:39:46.000Z on 2026-02-01'],
    ['2026-02-01T02:39:46Z', 'America/Chicago', '2026-02-01T02:39:46.000Z on 2026-01-31'],
    ['2026-12-31T23:30:00-06:00', 'America/Chicago', '2027-01-01T05:30:00.000Z on 2026-12-31'],
    ['2027-01-01T05:30:00Z', 'America/Chicago', '2027-01-01T05:30:00.000Z on 2026-12-31'],
    ['2027-01-01T05:30:00Z', 'UTC', '2027-01-01T05:30:00.000Z on 2027-01-01'],
    ['1/15/2026 3:05 PM', 'UTC', '2026-01-15T15:05:00.000Z on 2026-01-15'],
    // A skipped hour and a repeated hour.
    ['2026-03-08T02:30', 'America/Chicago', '2026-03-08T08:30:00.000Z on 2026-03-08'],
    ['2026-03-08T01:59:59.999', 'America/Chicago', '2026-03-08T07:59:59.999Z on 2026-03-08'],
    ['2026-11-01T01:30', 'America/Chicago', '2026-11-01T06:30:00.000Z on 2026-11-01'],
    ['2026-11-01T02:00', 'America/Chicago', '2026-11-01T08:00:00.000Z on 2026-11-01'],
    // Half an hour of daylight saving time.
    ['2026-10-04T02:15', 'Australia/Lord_Howe', '2026-10-03T15:45:00.000Z on 2026-10-04'],
    ['2026-04-05T01:45', 'Australia/Lord_Howe', '2026-04-04T14:45:00.000Z on 2026-04-05'],
    // A skipped midnight and a repeated midnight.
    ['2018-11-04', 'America/Sao_Paulo', '2018-11-04T03:00:00.000Z on 2018-11-04'],
    ['2018-11-04T00:30', 'America/Sao_Paulo', '2018-11-04T03:30:00.000Z on 2018-11-04'],
    ['2026-03-08', 'America/Havana', '2026-03-08T05:00:00.000Z on 2026-03-08'],
    ['2026-11-01', 'America/Havana', '2026-11-01T04:00:00.000Z on 2026-11-01'],
    ['2026-11-01T00:30', 'America/Havana', '2026-11-01T04:30:00.000Z on 2026-11-01'],
    // A minute of the day, then an hour of the previous day again; and a jump from 23:30 to 00:30.
    ['2010-11-07', 'America/St_Johns', '2010-11-07T02:30:00.000Z on 2010-11-07'],
    ['1919-03-31', 'America/Toronto', '1919-03-31T04:30:00.000Z on 1919-03-31'],
    ['1919-03-30T23:45', 'America/Toronto', '1919-03-31T04:45:00.000Z on 1919-03-31'],
    // A skipped day.
    ['2011-12-29', 'Pacific/Apia', '2011-12-29T10:00:00.000Z on 2011-12-29'],
    ['2011-12-30', 'Pacific/Apia', '2011-12-30T10:00:00.000Z on 2011-12-30'],
    ['2011-12-31', 'Pacific/Apia', '2011-12-30T10:00:00.000Z on 2011-12-31'],
    ['2011-12-30T10:00', 'Pacific/Apia', '2011-12-30T20:00:00.000Z on 2011-12-31'],
    // Local mean time, with seconds.
    ['1930-01-01', 'Africa/Monrovia', '1930-01-01T00:44:30.000Z on 1930-01-01'],
  ];

  it.each(cases)('resolves %s in %s to %s', (text, zone, expected) => {
    expect(spelled(resolve(text, zone))).toBe(expected);
  });

  it.each(['1960-01-01', '2026-01-15', '2026-07-15', '2026-11-01', '2099-07-01'])(
    'resolves the same on %s',
    (today) => {
      Settings.now = () => Date.parse(today);
      expect(cases.map(([text, zone]) => spelled(resolve(text, zone)))).toEqual(
        cases.map(([, , expected]) => expected),
      );
    },
  );

  it('resolves every day of every zone to its first instant', () => {
    fc.assert(
      fc.property(days, zones, (day, zone) => {
        const { instant, day: resolvedDay } = resolve(day, zone);
        expect(resolvedDay).toBe(day);
        const shown = churchDay(instant, zone);
        if (skippedDays.has(`${zone} ${day}`)) expect(shown > day).toBe(true);
        else expect(shown).toBe(day);
        expect(churchDay(new Date(instant.getTime() - 1), zone) < day).toBe(true);
      }),
      { numRuns: 5000 },
    );
  });

  it('resolves a clock reading to the first instant that shows it, if there is one', () => {
    const minutes = fc.integer({ min: 0, max: 1439 });
    fc.assert(
      fc.property(days, minutes, zones, (day, minute, zone) => {
        const clock = new Date(minute * 60_000).toISOString().slice(11, 16);
        const { instant } = resolve(`${day}T${clock}`, zone);
        const shown = shownClock(instant, zone);
        expect(shown >= `${day}T${clock}`).toBe(true);
        if (shown === `${day}T${clock}`) {
          const earlier = [1800, 3600, 7200].map((seconds) => new Date(instant.getTime() - seconds * 1000));
          expect(earlier.map((before) => shownClock(before, zone))).not.toContain(shown);
        }
      }),
      { numRuns: 3000 },
    );
  });

  it('throws for an unknown zone', () => {
    expect(() => resolve('2026-07-26', 'Mars/Olympus')).toThrow(RangeError);
  });
});

/** What a clock in the zone shows, to the minute. Computed with Intl, not with the code under test. */
function shownClock(instant: Date, timeZone: string): string {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  return format.format(instant).replace(' ', 'T');
}

describe('churchDay', () => {
  it('is the day in the church, not in UTC', () => {
    const evening = new Date('2026-11-28T03:00:00Z');
    expect(churchDay(evening, 'America/Chicago')).toBe('2026-11-27');
    expect(churchDay(evening, 'UTC')).toBe('2026-11-28');
    expect(churchDay(new Date('2026-11-27T11:00:00Z'), 'Pacific/Apia')).toBe('2026-11-28');
  });
});

describe('churchToday', () => {
  it('is the church’s day at every instant, independent of earlier calls', () => {
    const instants = fc.date({ min: new Date('1900-01-02'), max: new Date('2100-01-01'), noInvalidDate: true });
    const steps = fc.array(fc.integer({ min: -DAY_MS, max: 3 * DAY_MS }), { maxLength: 6 });
    fc.assert(
      fc.property(zones, instants, steps, (zone, begin, all) => {
        let instant = begin;
        for (const step of [0, ...all]) {
          instant = new Date(instant.getTime() + step);
          expect(churchToday(instant, zone)).toBe(churchDay(instant, zone));
        }
      }),
    );
  });
});

describe('isGiftDateInRange', () => {
  const zone = 'America/Chicago';
  const now = new Date('2026-11-28T03:00:00Z'); // The evening of the 27th in Chicago: tomorrow is the 28th.

  it.each([
    ['1900-01-01', true],
    ['1899-12-31', false],
    ['1900-01-01T00:00', true],
    ['1900-01-01T05:59:59Z', false],
    ['1900-01-01T06:00:00Z', true],
    ['0050-01-01', false],
    ['2026-11-28', true],
    ['2026-11-29', false],
    ['2026-11-28T23:59:59.999', true],
    ['2026-11-29T00:00', false],
    ['2026-11-29T05:59:59Z', true],
    ['2026-11-29T06:00:00Z', false],
    ['9999-12-31', false],
    ['9999-12-31T23:00:00-14:00', false],
    ['0000-01-01T00:00:00+14:00', false],
  ])('is in range for %s: %s', (text, inRange) => {
    expect(isGiftDateInRange(resolve(text, zone), zone, now)).toBe(inRange);
  });

  it('includes tomorrow at the end of a year and of February in a leap year', () => {
    expect(isGiftDateInRange(resolve('2027-01-01', 'UTC'), 'UTC', new Date('2026-12-31T12:00:00Z'))).toBe(true);
    expect(isGiftDateInRange(resolve('2028-02-29', 'UTC'), 'UTC', new Date('2028-02-28T12:00:00Z'))).toBe(true);
    expect(isGiftDateInRange(resolve('2028-03-01', 'UTC'), 'UTC', new Date('2028-02-28T12:00:00Z'))).toBe(false);
  });
});
