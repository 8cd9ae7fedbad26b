import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, untilAnswered } from '../support/client.js';
import { assertLedgerInvariants } from '../support/ledger-invariants.js';
import { Load } from '../support/load.js';
import { createApiUser, type ServiceProcess, startServiceProcess } from '../support/service-process.js';
import { printFigures } from '../support/tally.js';
import { gift, type Login } from '../support/test-app.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { until } from '../support/until.js';
import { EXTENT } from './extent.js';

const LOGIN: Login = ['api', 'no time to lose'];
const SOCKETS = 200;
/** How many calls are cut before their answer at a time; with more, none would come close to its answer. */
const CUT_AT_ONCE = 8;

let database: TestDatabase;
let service: ServiceProcess;
const sockets = new Set<Socket>();
beforeAll(async () => {
  database = await createTestDatabase();
  await createApiUser({ DATABASE_URL: database.url }, LOGIN[1]);
  service = await startServiceProcess({ DATABASE_URL: database.url });
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  await assertLedgerInvariants(database);
});
afterAll(async () => {
  expect(await service.end('SIGTERM')).toBe(0);
  expect(service.output()).not.toContain('internal_error');
  await database.drop();
});

function open(): Socket {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  // These sockets ignore answers and disconnects.
  socket.on('error', () => undefined).resume();
  sockets.add(socket);
  return socket;
}

/** The text of a call; its Content-Length announces `missing` more bytes than it has. */
function request(source: string, key: string, missing = 0): string {
  const body = JSON.stringify(gift(source, { Source: source }));
  return [
    'POST /Api/AddContribution HTTP/1.1',
    'Host: church.example',
    `Authorization: Basic ${Buffer.from(LOGIN.join(':')).toString('base64')}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length + missing}`,
    `Idempotency-Key: ${key}`,
    '',
    body,
  ].join('\r\n');
}

const stored = (source: string): Promise<unknown[]> =>
  database.query('SELECT id FROM contribution WHERE source = $1', [source]);

/** Runs `what` beside good callers, who must notice nothing. */
async function besideGoodCallers(
  scenario: string,
  name: string,
  what: (load: Load) => Promise<unknown>,
): Promise<void> {
  const load = new Load({ name, login: LOGIN, urls: [service.url], clients: 4 });
  try {
    await load.succeed(50);
    await what(load);
    await load.succeed(20);
    await load.stop();
    printFigures(`${SOCKETS} ${scenario}`, load.tally, `p99 ${(load.tally.quantile(0.99) / 1_000).toFixed(2)} s`);
    expect([...load.tally.seen.keys()]).toEqual(['200']);
    expect(load.tally.quantile(0.99)).toBeLessThan(1_000);
    await load.assertBooked(database);
  } finally {
    await load.stop();
  }
}

/** Calls `act` with a pause between calls, for this time. */
async function repeatFor(milliseconds: number, pause: number, act: (turn: number) => void): Promise<void> {
  const end = Date.now() + milliseconds;
  for (let turn = 0; Date.now() < end; turn++) {
    act(turn);
    await sleep(pause);
  }
}

/** Waits until the service has disconnected the slow callers, if this test takes long enough. */
async function untilDisconnected(): Promise<void> {
  if (EXTENT.outlastsTimeouts) await until(() => [...sockets].every(({ closed }) => closed), 90_000);
}

describe('other callers are not delayed, and gifts are recorded once or not at all, with callers', () => {
  it('that send half a body and stop', async () => {
    await besideGoodCallers('callers stop in their body', 'besidehalf', async () => {
      for (let i = 0; i < SOCKETS; i++) open().write(request('half', `half ${i}`, 1));
      await sleep(EXTENT.slowness);
      await untilDisconnected();
    });
    expect(await stored('half')).toEqual([]);
  });

  it('that send one byte of a header a second', async () => {
    await besideGoodCallers('callers send a byte of a header each second', 'besideslow', async () => {
      const slow = Array.from({ length: SOCKETS }, open);
      const text = request('slow', 'slow');
      await repeatFor(EXTENT.slowness, 1_000, (turn) => {
        for (const socket of slow) if (socket.writable) socket.write(text.charAt(turn));
      });
      await untilDisconnected();
    });
    expect(await stored('slow')).toEqual([]);
  });

  it('that are cut in the middle of their body', async () => {
    await besideGoodCallers('callers are cut in their body, again and again', 'besidecut', () =>
      repeatFor(EXTENT.slowness, 500, () => {
        for (const socket of sockets) socket.resetAndDestroy();
        sockets.clear();
        for (let i = 0; i < SOCKETS; i++) open().write(request('cut', `cut ${i}`, 1));
      }),
    );
    expect(await stored('cut')).toEqual([]);
  });

  it('that are cut before they read the answer and repeat the call with its key', async () => {
    await besideGoodCallers('callers are cut before their answer', 'besidelost', async (load) => {
      const cutOne = async (key: string): Promise<void> => {
        const socket = open();
        socket.write(request('lost', key));
        // From just after the call is sent to about when its answer arrives.
        await sleep(Math.random() * 3 * load.tally.quantile(0.9));
        socket.resetAndDestroy();
      };
      const client = async (first: number): Promise<void> => {
        for (let i = first; i < SOCKETS; i += CUT_AT_ONCE) await cutOne(`lost ${i}`);
      };
      await Promise.all(Array.from({ length: CUT_AT_ONCE }, (_, first) => client(first)));
    });
    const processor = new Client(service.url, ...LOGIN);
    const before = (await stored('lost')).length;
    for (let i = 0; i < SOCKETS; i++) {
      const again = await untilAnswered(() => processor.add(gift('lost', { Source: 'lost' }), `lost ${i}`));
      expect(again.status).toBe(200);
    }
    expect(await stored('lost')).toHaveLength(SOCKETS);
    // Otherwise no answer was lost.
    expect(before).toBeGreaterThan(0);
  });
});
