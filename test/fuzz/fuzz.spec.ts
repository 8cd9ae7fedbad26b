import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { createApiUser, runProgram, type ServiceProcess, startServiceProcess } from '../support/service-process.js';
import { ROLES, startTestApp } from '../support/test-app.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { type FuzzRun, fuzzTogether } from './fuzz-run.js';

/** Set by `npm run test:fuzz`. Without them, both tests do a short run. */
const { FUZZ_INPUTS, FUZZ_SEED, FUZZ_PATH, FUZZ_SERVICE } = process.env;
const LONG = FUZZ_INPUTS !== undefined;
const LANES = LONG && FUZZ_PATH === undefined ? 4 : 1;

const LOGIN = ['api', 'correct horse battery'] as const;
const NO_LIMIT = { LOGIN_FAILURES_PER_MINUTE: '1000000' };

const lanes = Array.from({ length: LANES }, (_, lane) => lane);

function runOf(short: number, command: string): FuzzRun {
  return {
    inputs: Number(FUZZ_INPUTS ?? short),
    // The short run always has the same seed, so that a failure in CI comes from the change under test.
    seed: Number(FUZZ_SEED ?? (LONG ? Date.now() % 2 ** 31 : 1)),
    path: FUZZ_PATH,
    // Jest would add a stack trace to every line of console.log.
    say: (text) => LONG && process.stdout.write(`${text}\n`),
    command,
  };
}

/** A database that does not wait for the disk, because these tests do not simulate power cuts. */
async function quickDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase();
  await database.query(`ALTER DATABASE ${new URL(database.url).pathname.slice(1)} SET synchronous_commit = off`);
  return database;
}

async function fuzzHere(): Promise<void> {
  const services = await Promise.all(
    lanes.map(async () => {
      const database = await quickDatabase();
      const app = await startTestApp(NO_LIMIT, { database });
      await app.createUser(...LOGIN, [...ROLES, 'Finance']);
      return { app, database, port: (app.app.getHttpServer().address() as AddressInfo).port, login: LOGIN };
    }),
  );
  try {
    await fuzzTogether(services, runOf(300, 'npm run test:fuzz --'));
  } finally {
    for (const { app, database } of services) {
      await app.stop();
      await database.drop();
    }
  }
}

async function fuzzProgram(): Promise<void> {
  const services = await Promise.all(
    lanes.map(async () => {
      const database = await quickDatabase();
      const variables = { DATABASE_URL: database.url, ...NO_LIMIT };
      await createApiUser(variables, LOGIN[1]);
      await runProgram('cli', ['user', 'grant', LOGIN[0], 'Finance'], variables);
      const process = await startServiceProcess(variables);
      return { process, database, port: Number(new URL(process.url).port), login: LOGIN };
    }),
  );
  try {
    await fuzzTogether(services, runOf(100, 'npm run test:fuzz -- --program'));
  } finally {
    for (const { process, database } of services) {
      expect(await process.end('SIGTERM')).toBe(0);
      await database.drop();
    }
  }
  for (const { process } of services) assertQuiet(process);
}

/** Checks that no input adds its own entries to the log or causes an internal error. */
function assertQuiet(process: ServiceProcess): void {
  for (const line of process.output().trimEnd().split('\n')) {
    const entry = JSON.parse(line) as { level: string; message: string; context: string };
    // At its start the service warns about the settings of the test's database, which is fast but not durable.
    if (entry.context === 'Doctor') continue;
    expect(entry).toEqual(expect.objectContaining({ level: expect.stringMatching(/^(debug|info|warn)$/) }));
    expect(entry.message).not.toMatch(/internal_error|database_unavailable/);
  }
}

describe('a valid call with one change gets an answer of the contract and changes the books as the answer says', () => {
  /** Milliseconds. A long run is limited to one day. */
  const limit = LONG ? 86_400_000 : 120_000;
  const chosen = (service: string): typeof it.skip =>
    FUZZ_SERVICE === undefined || FUZZ_SERVICE === service ? it : it.skip;

  chosen('here')('in the service in this process', fuzzHere, limit);
  chosen('program')('in the built program, whose log has one line for each entry', fuzzProgram, limit);
});
