import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DateTime } from 'luxon';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { invalidGift, recordedGift } from './gift-requests.js';

const ZONE = 'America/Chicago';

let service: TestApp;

beforeAll(async () => {
  service = await startTestApp({ CHURCH_TIME_ZONE: ZONE });
});
afterAll(() => service.stop());

describe('Date', () => {
  it.each([
    ['2026-07-26', '2026-07-26', '2026-07-26T05:00:00.000Z'],
    ['2026-01-15', '2026-01-15', '2026-01-15T06:00:00.000Z'],
    ['2024-02-29', '2024-02-29', '2024-02-29T06:00:00.000Z'],
    ['2026-02-01 02:39:46', '2026-02-01', '2026-02-01T08:39:46.000Z'],
    ['2026-02-01T02:39', '2026-02-01', '2026-02-01T08:39:00.000Z'],
    ['2026-02-01T00:00', '2026-02-01', '2026-02-01T06:00:00.000Z'],
    ['2026-02-01T23:59:59.999', '2026-02-01', '2026-02-02T05:59:59.999Z'],
    ['2026-02-01T02:39:46.1', '2026-02-01', '2026-02-01T08:39:46.100Z'],
    ['  2026-02-01\u{3000}', '2026-02-01', '2026-02-01T06:00:00.000Z'],
  ])('reads %j, which has no offset, in church time', async (sent, day, date) => {
    expect(await recordedGift(service, { Date: sent })).toMatchObject({ day, date });
  });

  it.each([
    ['2026-02-01T02:39:46Z', '2026-01-31', '2026-02-01T02:39:46.000Z'],
    ['2025-12-31T23:30:00-06:00', '2025-12-31', '2026-01-01T05:30:00.000Z'],
    ['2026-01-01T05:30:00Z', '2025-12-31', '2026-01-01T05:30:00.000Z'],
    ['2026-01-01T06:00Z', '2026-01-01', '2026-01-01T06:00:00.000Z'],
    ['2026-07-26 10:30:00+05:30', '2026-07-26', '2026-07-26T05:00:00.000Z'],
    ['2026-07-26T10:29:59.999+05:30', '2026-07-25', '2026-07-26T04:59:59.999Z'],
    ['2026-07-26T00:00:00+14:00', '2026-07-25', '2026-07-25T10:00:00.000Z'],
    ['2026-07-26T00:00:00-00:00', '2026-07-25', '2026-07-26T00:00:00.000Z'],
  ])('reads %j as that instant and records the day in church time', async (sent, day, date) => {
    expect(await recordedGift(service, { Date: sent })).toMatchObject({ day, date });
  });

  it.each([
    ['2026-02-01T02:39:46.123456789Z', '2026-02-01T02:39:46.123Z'],
    ['2026-02-01T02:39:46.9999Z', '2026-02-01T02:39:46.999Z'],
    ['1950-01-01T12:00:00.9999Z', '1950-01-01T12:00:00.999Z'],
    ['2026-02-01T02:39:59.999999999-06:00', '2026-02-01T08:39:59.999Z'],
  ])('truncates the fraction of %j to milliseconds', async (sent, date) => {
    expect(await recordedGift(service, { Date: sent })).toMatchObject({ date });
  });

  it.each([
    ['1/15/2026', '2026-01-15T06:00:00.000Z'],
    ['01/05/2026', '2026-01-05T06:00:00.000Z'],
    ['7/4/2026', '2026-07-04T05:00:00.000Z'],
    ['1/15/2026 3:05 PM', '2026-01-15T21:05:00.000Z'],
    ['1/15/2026 3:05:09 pm', '2026-01-15T21:05:09.000Z'],
    ['1/15/2026 12:00 AM', '2026-01-15T06:00:00.000Z'],
    ['1/15/2026 12:30 PM', '2026-01-15T18:30:00.000Z'],
    ['1/15/2026 15:05', '2026-01-15T21:05:00.000Z'],
    ['1/15/2026 0:05:30', '2026-01-15T06:05:30.000Z'],
  ])('takes the US notation %j', async (sent, date) => {
    expect(await recordedGift(service, { Date: sent })).toMatchObject({ date, day: date.slice(0, 10) });
  });

  it.each([
    // Clocks jump from 02:00 CST to 03:00 CDT.
    ['2026-03-08T01:59:59', '2026-03-08T07:59:59.000Z'],
    ['2026-03-08T02:30', '2026-03-08T08:30:00.000Z'],
    ['3/8/2026 2:30 AM', '2026-03-08T08:30:00.000Z'],
    ['2026-03-08T03:00', '2026-03-08T08:00:00.000Z'],
    // Clocks go back from 02:00 CDT to 01:00 CST.
    ['2026-11-01T01:30', '2026-11-01T06:30:00.000Z'],
    ['2025-11-02T01:30', '2025-11-02T06:30:00.000Z'],
    ['2025-11-02T01:30-06:00', '2025-11-02T07:30:00.000Z'],
    ['2025-11-02T02:00', '2025-11-02T08:00:00.000Z'],
  ])('reads %j correctly when the clocks change', async (sent, date) => {
    expect(await recordedGift(service, { Date: sent })).toMatchObject({ date, day: date.slice(0, 10) });
  });

  it.each([
    ...[
      '2026-02-30',
      '2025-02-29',
      '1900-02-29',
      '2026-13-01',
      '2026-00-10',
      '2026-01-00',
      '2026-01-32',
      '2/30/2026',
      '13/1/2026',
    ],
    ...[
      '2026-W10',
      '2026-W10-1',
      '2026-001',
      '2026-01',
      '2022',
      '20261127',
      '20260101T101010',
      '2026/01/15',
      '15.01.2026',
    ],
    ...[
      '2026-1-5',
      '26-01-05',
      '1/15/26',
      '+002026-01-01',
      '-2026-01-01',
      '12026-01-01',
      '2026-01-01Z',
      'Jan 15, 2026',
    ],
    ...['2026-01-01T24:00', '2026-01-01T24:00:00', '2026-01-01T25:00', '2026-01-01T10:60', '2026-01-01T10:00:60'],
    ...[
      '2026-01-01T10',
      '2026-01-01T1:00',
      '2026-01-01T1000',
      '2026-01-01T10:00:00.',
      '2026-01-01T10:00:00.1234567890',
    ],
    ...[
      '2026-01-01T10:00+25:00',
      '2026-01-01T10:00+05:60',
      '2026-01-01T10:00 CST',
      '2026-01-01T10:00[America/Chicago]',
    ],
    ...['2026-01-01T10:00 PM', '2026-01-01  10:00', '2026-01-01_10:00', '2026-01-01T10:00Zx', 'T10:00', '10:00'],
    ...[
      '1/15/2026 13:05 PM',
      '1/15/2026 0:05 AM',
      '1/15/2026 24:00',
      '1/15/2026 3:60 PM',
      '1/15/2026 3 PM',
      '1/15/2026 3:05 XM',
    ],
    ...['today', 'now', '0', '1767225600', '\u{FF12}026-01-01', '2026-01-01\u{0}', '2026\u{2212}01\u{2212}01'],
    ...[0, 20260101, 1767225600000, true, false, [], ['2026-01-01'], {}],
  ])('refuses %j', async (value) => {
    await invalidGift(service, { Date: value }, 'Date');
  });

  it.each([undefined, null, '', '  ', '\u{200B}'])('records the current time for %j', async (value) => {
    const before = DateTime.now();
    const view = await recordedGift(service, { Date: value });
    const date = DateTime.fromISO(String(view['date']), { zone: ZONE });
    expect(date.toMillis()).toBeGreaterThanOrEqual(before.toMillis());
    expect(date.toMillis()).toBeLessThanOrEqual(DateTime.now().toMillis());
    expect(view['day']).toBe(date.toISODate());
  });
});

describe('the range of Date', () => {
  it.each(['1900-01-01', '1/1/1900', '1900-01-01T00:00', '1900-01-01T06:00:00Z'])('begins with %j', async (sent) => {
    const date = '1900-01-01T06:00:00.000Z';
    expect(await recordedGift(service, { Date: sent })).toMatchObject({ day: '1900-01-01', date });
  });

  it.each([
    '1899-12-31',
    '12/31/1899',
    '1899-12-31T23:59:59.999',
    '1900-01-01T05:59:59.999Z',
    '0001-01-01',
    '0000-01-01',
  ])('excludes %j', async (sent) => {
    await invalidGift(service, { Date: sent }, 'Date');
  });

  it('ends at the end of tomorrow in church time', async () => {
    const tomorrow = DateTime.now().setZone(ZONE).plus({ days: 1 });
    const end = tomorrow.endOf('day');
    const day = tomorrow.toISODate();
    for (const sent of [day, tomorrow.toFormat('M/d/yyyy'), `${day}T23:59:59.999`, end.toISO(), end.toUTC().toISO()]) {
      expect(await recordedGift(service, { Date: sent })).toMatchObject({ day });
    }
  });

  it('excludes the day after tomorrow from its first moment in church time', async () => {
    const day = DateTime.now().setZone(ZONE).plus({ days: 2 }).startOf('day');
    const sent = [
      day.toISODate(),
      day.toFormat('M/d/yyyy'),
      day.toFormat("yyyy-MM-dd'T'HH:mm"),
      day.toUTC().toISO(),
      day.toISO(),
    ];
    for (const date of [...sent, '2999-01-01', '9999-12-31T23:59:59Z', '9999-12-31T23:59:59-14:00']) {
      await invalidGift(service, { Date: date }, 'Date');
    }
  });
});
