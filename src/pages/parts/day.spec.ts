import { expect, it } from '@jest/globals';
import { displayDay, displayMoment } from './day.js';

it('a day is written as the church’s country writes it, and means the same everywhere', () => {
  expect(displayDay('2026-03-04', { country: 'US' })).toBe('Mar 4, 2026');
  expect(displayDay('2026-03-04', { country: 'GB' })).toBe('4 Mar 2026');
});

it('a moment is shown in church time', () => {
  const moment = new Date('2027-01-01T05:30:00Z');
  expect(displayMoment(moment, { country: 'US', timeZone: 'America/Chicago' })).toBe('Dec 31, 2026, 23:30');
  expect(displayMoment(moment, { country: 'KE', timeZone: 'Africa/Nairobi' })).toBe('1 Jan 2027, 08:30');
});
