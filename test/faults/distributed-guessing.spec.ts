import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Answer, Client } from '../support/client.js';
import { runProgram, type ServiceProcess, startServiceProcess } from '../support/service-process.js';
import { printFigures, Tally } from '../support/tally.js';
import { gift, ROLES } from '../support/test-app.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { EXTENT } from './extent.js';

const GUESSES_PER_SECOND = 70;
const PASSWORD = 'the only right one';
/** How often a processor calls that has not called for an hour, in milliseconds. */
const EVERY_MS = 1_500;
const PROCESSORS = Array.from({ length: Math.floor(EXTENT.guessing / EVERY_MS) }, (_, i) => `processor${i}`);

let database: TestDatabase;
let service: ServiceProcess;
let token: string;

beforeAll(async () => {
  database = await createTestDatabase();
  const variables = { DATABASE_URL: database.url };
  for (const username of PROCESSORS) {
    const create = ['user', 'create', username, '--roles', ROLES.join(','), '--password-stdin'];
    expect((await runProgram('cli', create, variables, PASSWORD)).code).toBe(0);
  }
  const created = await runProgram('cli', ['token', 'create', 'processor0', '--json'], variables);
  token = (JSON.parse(created.stdout) as { token: string }).token;
  service = await startServiceProcess({ ...variables, TRUST_PROXY: '1' });
  // Each processor has called once, from its own network.
  for (const username of PROCESSORS) expect((await processor(username).add(gift(username))).status).toBe(200);
  expect(await service.end('SIGTERM')).toBe(0);
  await database.query('DELETE FROM verified_login');
  // No process remembers any password now, as after an hour.
  service = await startServiceProcess({ ...variables, TRUST_PROXY: '1' });
});
afterAll(async () => {
  expect(await service.end('SIGTERM')).toBe(0);
  await database.drop();
});

function processor(username: string, password = PASSWORD): Client {
  const host = 1 + Number(username.slice('processor'.length));
  return new Client(service.url, username, password, { 'X-Forwarded-For': `198.51.100.${host}` });
}

/** Guesses at a steady rate, each with another name from another address, until it is stopped. */
function startGuessing(): () => Promise<Tally> {
  const tally = new Tally();
  const calls: Promise<unknown>[] = [];
  let isStopped = false;
  const guess = async (): Promise<void> => {
    for (let call = 0; !isStopped; call++) {
      const address = `203.0.${call % 250}.${Math.floor(call / 250) % 250}`;
      const guesser = new Client(service.url, `name${call}`, 'a guess', { 'X-Forwarded-For': address });
      calls.push(guesser.add(gift('guess')).then((answer) => tally.note(answer)));
      await sleep(1_000 / GUESSES_PER_SECOND);
    }
  };
  const guessing = guess();
  return async () => {
    isStopped = true;
    await guessing;
    await Promise.all(calls);
    return tally;
  };
}

it('guesses from many networks lock out no correct password from a known network, and no token', async () => {
  const byToken = processor('processor0', token);
  const alone: Answer[] = [];
  for (let i = 0; i < 20; i++) alone.push(await byToken.add(gift(`alone${i}`)));
  const stopGuessing = startGuessing();
  const [passwords, tokens] = [new Tally(), new Tally()];
  try {
    for (const username of PROCESSORS) {
      const begin = performance.now();
      passwords.note(await processor(username).add(gift(username)));
      while (performance.now() - begin < EVERY_MS) {
        tokens.note(await byToken.add(gift(`token${tokens.calls}`)));
        await sleep(50);
      }
    }
  } finally {
    printFigures(`${GUESSES_PER_SECOND} guesses a second from many networks`, await stopGuessing());
  }
  printFigures(
    'correct passwords that were not checked before',
    passwords,
    `slowest ${passwords.slowest.toFixed(0)} ms`,
  );
  printFigures('calls with a token', tokens, `median ${tokens.quantile(0.5).toFixed(0)} ms`);
  expect([...passwords.seen]).toEqual([['200', PROCESSORS.length]]);
  expect(passwords.slowest).toBeLessThan(2_000);
  expect([...tokens.seen.keys()]).toEqual(['200']);
  const usual = alone.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b)[10] ?? 0;
  expect(tokens.quantile(0.5)).toBeLessThan(Math.max(50, 5 * usual));
});
