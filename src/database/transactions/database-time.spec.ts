import { expect, it, jest } from '@jest/globals';
import { DatabaseTimeExceededError, withinTime } from './database-time.js';

it.each([0, -5])('work is not begun when %i milliseconds are left', async (milliseconds) => {
  const work = jest.fn(() => Promise.resolve());
  await expect(withinTime(milliseconds, work)).rejects.toBeInstanceOf(DatabaseTimeExceededError);
  expect(work).not.toHaveBeenCalled();
});
