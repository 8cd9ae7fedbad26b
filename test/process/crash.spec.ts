import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startServiceProcess } from '../support/service-process.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { until } from '../support/until.js';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** Makes the program run `code` on SIGUSR2, in place of an unexpected fault in our own code. */
function onSignal(code: string): Record<string, string> {
  const program = Buffer.from(`process.on('SIGUSR2', () => { ${code} })`).toString('base64');
  return { NODE_OPTIONS: `--import=data:text/javascript;base64,${program}` };
}

const FAILED_STATEMENT = `Object.assign(new Error('duplicate key: Ann'), { code: '23505', parameters: ['ann@example.org'] })`;

describe('an uncaught error', () => {
  it.each([
    ['thrown', `throw ${FAILED_STATEMENT}`],
    ['a rejection', `Promise.reject(${FAILED_STATEMENT})`],
  ])('ends the service with exit code 1 and one log entry without personal data: %s', async (_what, code) => {
    const service = await startServiceProcess({ DATABASE_URL: database.url, ...onSignal(code) });
    expect(await service.end('SIGUSR2')).toBe(1);
    await until(() => /fatal.*\n$/.test(service.output()));
    const last = service.output().trimEnd().split('\n').at(-1) ?? '';
    expect(JSON.parse(last)).toMatchObject({
      level: 'fatal',
      context: 'Process',
      message: 'The service ends after an uncaught error: Error 23505',
      stack: expect.stringContaining('at process.'),
    });
    expect(service.output()).not.toMatch(/ann/i);
  });
});
