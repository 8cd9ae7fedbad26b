import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isFault, readGiftDate } from '../../values/index.js';
import { type CellsOfDate, contradicts, type DateOrder, readCellDate, slashOrder } from './cell-date.js';

/** What AddContribution reads from the cells; undefined if it refuses them. */
function read(cells: CellsOfDate | string, order: DateOrder | undefined, isOfFile = true): unknown {
  const text = readCellDate(typeof cells === 'string' ? { date: cells } : cells, order, isOfFile);
  const reading = readGiftDate(text, slashOrder(order));
  return isFault(reading) ? undefined : Object.values(reading.value).at(-1);
}

describe('a date of a file', () => {
  it.each<[string, DateOrder | undefined, string | undefined]>([
    ['1/31/2026', 'M/D/Y', '2026-01-31'],
    ['31/1/2026', 'D/M/Y', '2026-01-31'],
    ['31.01.2026', 'D/M/Y', '2026-01-31'],
    ['31-1-2026', 'D/M/Y', '2026-01-31'],
    ['1-31-2026', 'M/D/Y', '2026-01-31'],
    ['2026-1-31', 'M/D/Y', '2026-01-31'],
    ['2026/01/31', 'Y-M-D', '2026-01-31'],
    ['2026.01.31', 'Y-M-D', '2026-01-31'],
    ['2026/01/31', 'M/D/Y', undefined],
    ['1/31/2026', 'Y-M-D', undefined],
    ['1/31/2026', undefined, undefined],
    ['31.01/2026', 'D/M/Y', undefined],
    ['2/30/2026', 'M/D/Y', undefined],
    ['30.02.2026', 'D/M/Y', undefined],
    ['1/31/26', 'M/D/Y', undefined],
    ['Jan 31, 2026', undefined, '2026-01-31'],
    ['January 31st, 2026', undefined, '2026-01-31'],
    ['Sat, 31 Jan 2026', undefined, '2026-01-31'],
    ['31-Jan-2026', undefined, '2026-01-31'],
    ['Jam 31, 2026', undefined, undefined],
    ['2026-01-31 23:30:00 UTC', undefined, '2026-01-31T23:30:00.000Z'],
    ['2026-01-31 23:30:00 -0600', undefined, '2026-02-01T05:30:00.000Z'],
    ['2026-01-31 11:30 PM', undefined, '2026-01-31T23:30:00.000'],
    ['31.01.2026, 23:30', 'D/M/Y', '2026-01-31T23:30:00.000'],
    ['1/31/2026 11:30:05 PM', 'M/D/Y', '2026-01-31T23:30:05.000'],
    ['1/31/2026 11:30:05 PM CST', 'M/D/Y', '2026-02-01T05:30:05.000Z'],
    ['Jan 31, 2026 at 12:05 a.m. EST', undefined, '2026-01-31T05:05:00.000Z'],
    ['2026-01-31 13:05 PM', undefined, undefined],
    ['2026-01-31 23:30 Mars', undefined, undefined],
  ])('%j in %s is %j', (text, order, expected) => {
    expect(read(text, order)).toBe(expected);
  });

  it.each<[CellsOfDate, string | undefined]>([
    [{ date: '1/31/2026', time: '23:30:00', zone: 'PST' }, '2026-02-01T07:30:00.000Z'],
    [{ date: '7/31/2026', time: '23:30:00', zone: 'PDT' }, '2026-08-01T06:30:00.000Z'],
    [{ date: '7/31/2026', time: '23:30:00', zone: 'America/Los_Angeles' }, '2026-08-01T06:30:00.000Z'],
    [{ date: '7/31/2026', time: '23:30:00', zone: 'GMT+02:00' }, '2026-07-31T21:30:00.000Z'],
    [{ date: '7/31/2026', time: '23:30:00', zone: 'XYZ' }, undefined],
    [{ date: '7/31/2026', zone: 'PDT' }, '2026-07-31'],
    [{ date: '7/31/2026', time: '11:30 PM' }, '2026-07-31T23:30:00.000'],
  ])('may have its time and zone in other columns: %j', (cells, expected) => {
    expect(read(cells, 'M/D/Y')).toBe(expected);
  });

  it('stays as it is if AddContribution reads it, or if the order is not that of the file', () => {
    for (const date of ['2026-01-31T23:30:00-06:00', '2026-01-31 23:30', '1/31/2026 3:05 PM', 'nonsense', '31.1.2026'])
      expect(readCellDate({ date }, 'D/M/Y', false)).toBe(date);
  });

  it('is the same day with every separator', () => {
    const day = fc.tuple(
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 1, max: 28 }),
      fc.integer({ min: 1990, max: 2030 }),
    );
    fc.assert(
      fc.property(day, fc.constantFrom('/', '.', '-'), ([month, dayOfMonth, year], by) => {
        const iso = `${year}-${String(month).padStart(2, '0')}-${String(dayOfMonth).padStart(2, '0')}`;
        expect(read([month, dayOfMonth, year].join(by), 'M/D/Y')).toBe(iso);
        expect(read([dayOfMonth, month, year].join(by), 'D/M/Y')).toBe(iso);
        expect(read([year, month, dayOfMonth].join(by), 'Y-M-D')).toBe(iso);
      }),
    );
  });

  it.each<[string, DateOrder, boolean]>([
    ['26/7/2026', 'M/D/Y', true],
    ['7/26/2026', 'D/M/Y', true],
    ['7/26/2026', 'M/D/Y', false],
    ['7/7/2026', 'M/D/Y', false],
    ['26/27/2026', 'M/D/Y', false],
    ['2026-07-26', 'M/D/Y', false],
    ['26/7/2026', 'Y-M-D', false],
  ])('%j can only be in another order than %s: %s', (text, order, expected) => {
    expect(contradicts(text, order)).toBe(expected);
  });
});
