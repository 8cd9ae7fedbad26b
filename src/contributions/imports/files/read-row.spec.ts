import { describe, expect, it } from '@jest/globals';
import { GRACE } from '../../../../test/support/grace-church.js';
import type { DatabaseClock } from '../../../database/index.js';
import { RequestReader } from '../../../http/index.js';
import { type Columns, chooseColumns } from './columns.js';
import type { FileFormat } from './file-format.js';
import { NO_MAPPING } from './mapping.js';
import { ReadRow } from './read-row.js';

const CLOCK = { now: () => new Date('2026-12-01T00:00:00Z') } as DatabaseClock;
const READ_ROW = new ReadRow(new RequestReader(GRACE, CLOCK), GRACE);

function columns(file: FileFormat): Columns {
  return chooseColumns(['First', 'Last', 'Email', 'Phone', 'Amount', 'Date'], { ...NO_MAPPING, file }, 'S', GRACE);
}

function read(date: string, file: FileFormat): { own: unknown; others: unknown[] } {
  const cells = ['Ann', 'Lee', 'ann@x.org', 'n/a', '10', date];
  const request = READ_ROW.read(columns(file), cells);
  const others = READ_ROW.otherReadings(columns(file), cells, request);
  for (const other of others)
    expect(Object.assign({}, other.request, { Date: request.Date })).toEqual(Object.assign({}, request));
  return { own: request.Date, others: others.map(({ kind, request }) => [kind, request.Date]) };
}

const local = (text: string): object => ({ kind: 'local', local: `${text}:00.000` });
const instant = (text: string): object => ({ kind: 'instant', instant: `${text}:00.000Z` });
const day = (text: string): object => ({ kind: 'day', day: text });

describe('the date of a row', () => {
  it.each(['America/Chicago', 'US/Central', 'America/Menominee'])(
    'is stored as sent if the time zone of the file gives the same instant: %s',
    (timeZone) => {
      expect(read('2026-03-01 10:00', { timeZone })).toEqual({ own: local('2026-03-01T10:00'), others: [] });
    },
  );

  it('is an instant in another time zone, and may have been read in church time earlier', () => {
    expect(read('2026-03-01 10:00', { timeZone: 'UTC' })).toEqual({
      own: instant('2026-03-01T10:00'),
      others: [['in church time', local('2026-03-01T10:00')]],
    });
  });

  it.each([
    [{}, '2026-03-04', '2026-04-03'],
    [{ dates: 'D/M/Y' } as const, '2026-04-03', '2026-03-04'],
  ])('may have been read in the other order earlier: %j', (file, own, other) => {
    expect(read('03/04/2026', file)).toEqual({ own: day(own), others: [['in the other order', day(other)]] });
  });

  it('may have been read in the other order and in church time', () => {
    expect(read('3/4/2026 10:00', { dates: 'D/M/Y', timeZone: 'UTC' })).toEqual({
      own: instant('2026-04-03T10:00'),
      others: [
        ['in church time', local('2026-04-03T10:00')],
        ['in the other order', local('2026-03-04T10:00')],
        ['in the other order', instant('2026-03-04T10:00')],
      ],
    });
  });

  it.each(['2026-03-04', '2026-03-04T10:00:00Z', '03/03/2026', '03/15/2026'])(
    'has no other reading if it is unambiguous: %s',
    (date) => {
      expect(read(date, { timeZone: 'UTC' }).others).toEqual([]);
    },
  );
});
