import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Metrics } from '../../src/metrics/index.js';
import { addedGift } from '../contract/gift-requests.js';
import { type HeldLock, holdLock } from '../support/held-lock.js';
import { keptLog } from '../support/kept-logs.js';
import { countLockWaits } from '../support/lock-waits.js';
import { type Login, startTestApp, type TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';

/** Of 10 connections a user has two for reading (CallTurns). */
const READING_AT_ONCE = 2;

let service: TestApp;
let finance: Login;

beforeAll(async () => {
  service = await startTestApp();
  finance = await service.createUser('treasurer', 'correct horse battery', ['Finance']);
  await addedGift(service, {});
  await service.get('People/1', finance).expect(200);
});
afterAll(() => service.stop());

/** Sends calls one after the other on one connection, without waiting for their answers. */
function send(paths: readonly string[], id: string, [username, password]: Login = finance): Socket {
  const { port } = service.app.getHttpServer().address() as AddressInfo;
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  const authorization = `Authorization: Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  const head = (path: string): string =>
    [`GET /Api/${path} HTTP/1.1`, 'Host: x', authorization, `X-Request-Id: ${id}`].join('\r\n');
  socket.write(paths.map((path) => `${head(path)}\r\n\r\n`).join(''));
  return socket;
}

async function waiting(): Promise<number> {
  const exposed = await service.app.get(Metrics, { strict: false }).expose();
  return Number(/^offertory_calls_waiting (\d+)$/m.exec(exposed)?.[1]);
}

const entriesOf = (id: string): string[] => keptLog().filter((line) => line.includes(`"requestId":"${id}"`));
const readings = async (): Promise<number> =>
  (await service.database.query(`SELECT FROM audit_entry WHERE action = 'person.read'`)).length;

/** Calls that read persons wait until the lock is released. */
const lockPersons = (): Promise<HeldLock> => holdLock(service.database.url, 'LOCK TABLE person', []);

async function allAreAnswered(): Promise<void> {
  const calls = Array.from({ length: 2 * READING_AT_ONCE }, () => service.get('People/1', finance));
  expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(Array(calls.length).fill(200));
}

describe('a caller that leaves', () => {
  it('gives its turn back only when the statements of its call have ended', async () => {
    const lock = await lockPersons();
    try {
      const sockets = Array.from({ length: READING_AT_ONCE }, () => send(['People/1'], 'gone'));
      await until(async () => (await countLockWaits(service.database)) === READING_AT_ONCE);
      for (const socket of sockets) socket.destroy();
      await until(() => entriesOf('gone').length === READING_AT_ONCE);
      const next = send(['People/1'], 'next');
      await until(async () => (await waiting()) === 1);
      expect(await countLockWaits(service.database)).toBe(READING_AT_ONCE);
      next.destroy();
    } finally {
      await lock.release();
    }
    await allAreAnswered();
  });

  it('while its call waits for its turn has no call any more', async () => {
    const lock = await lockPersons();
    const before = await readings();
    try {
      const calls = Array.from({ length: READING_AT_ONCE }, () => service.get('People/1', finance));
      const statuses = Promise.all(calls.map((call) => call.then(({ status }) => status)));
      await until(async () => (await countLockWaits(service.database)) === READING_AT_ONCE);
      const impatient = send(['People/1'], 'impatient');
      await until(async () => (await waiting()) === 1);
      impatient.destroy();
      await until(() => entriesOf('impatient').length === 1);
      await lock.release();
      expect(new Set(await statuses)).toEqual(new Set([200]));
    } catch (error) {
      await lock.release();
      throw error;
    }
    await allAreAnswered();
    expect((await readings()) - before).toBe(READING_AT_ONCE + 2 * READING_AT_ONCE);
  });
});

describe('pipelined calls on a connection that is closed', () => {
  it('give back their turns, and are logged once each', async () => {
    const lock = await lockPersons();
    try {
      const socket = send(Array<string>(5).fill('People/1'), 'pipelined');
      await until(async () => (await waiting()) === 5 - READING_AT_ONCE);
      socket.destroy();
      await until(() => entriesOf('pipelined').length > 0);
    } finally {
      await lock.release();
    }
    await allAreAnswered();
    expect(entriesOf('pipelined')).toHaveLength(5);
    expect(await waiting()).toBe(0);
  });
});
