import { afterEach, expect, it, jest } from '@jest/globals';
import type { Finding } from '../health/index.js';
import { doctorCommand } from './doctor.command.js';

afterEach(() => {
  jest.restoreAllMocks();
  process.exitCode = undefined;
});

/** The findings when the application cannot be opened for this reason. */
async function findingsFor(reason: Error): Promise<Finding[]> {
  let printed = '';
  jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += String(text);
    return true;
  });
  await doctorCommand(() => Promise.reject(reason)).parseAsync(['--json'], { from: 'user' });
  return JSON.parse(printed) as Finding[];
}

const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' });

it('asks whether the database is running if it cannot be reached', async () => {
  for (const error of [refused, new Error('The database of DATABASE_URL cannot be used', { cause: refused })]) {
    expect(await findingsFor(error)).toMatchObject([
      { check: 'database', result: 'fault', advice: expect.stringContaining('Is it running') },
    ]);
  }
});

it.each([
  'The books were moved to postgres://offertory@db/offertory. Set DATABASE_URL to the new database.',
  'The database lacks 2 migrations. Run first: offertory database migrate',
])('adds no advice to an error that already says what to do: %s', async (message) => {
  expect(await findingsFor(new Error(message))).toEqual([{ check: 'database', result: 'fault', found: message }]);
});
