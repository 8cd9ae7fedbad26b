import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Batches } from '../faults/batches-load.js';
import { caddyIsThere, startProxy as startCaddy } from '../life/caddy.js';
import { Client } from '../support/client.js';
import { freePort } from '../support/free-port.js';
import { assertLedgerInvariants, type Ledger } from '../support/ledger-invariants.js';
import { Load, type LoadOptions, Processors, type RepeatedCall } from '../support/load.js';
import { createApiUser, type ServiceProcess, startServiceProcess } from '../support/service-process.js';
import { printFigures, Tally } from '../support/tally.js';
import { gift, type Login } from '../support/test-app.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { until } from '../support/until.js';
import type { Site } from './callers.js';
import { NAMES } from './certificate.js';
import { ClientOfSite, type Connection } from './client-of-site.js';
import { HAPROXY } from './proxies.js';
import { isInstalled, startProxy } from './running-proxy.js';

const LOGIN: Login = ['api', 'one after the other'];
/** How often both services are replaced. */
const ROUNDS = Number(process.env['UPGRADE_ROUNDS'] ?? 2);
/** As in docker-compose.cluster.yml, unless the test is to show what it is good for. */
const DRAIN_SECONDS = process.env['UPGRADE_DRAIN_SECONDS'] ?? drainSecondsOf('docker-compose.cluster.yml');
/** How long the programs may take to start on a busy machine, in milliseconds. */
const SETUP_LIMIT = 180_000;
/** How long a service may take after DRAIN_SECONDS, in milliseconds. */
const STOP_LIMIT = 10_000;

function drainSecondsOf(file: string): string {
  const text = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
  const [, seconds] = /^ +DRAIN_SECONDS: '(\d+)'$/m.exec(text) ?? [];
  if (seconds === undefined) throw new Error(`${file} has no DRAIN_SECONDS`);
  return seconds;
}

/** A proxy in front of two services that runs. */
interface RunningProxyOfTwo {
  readonly site: Site;
  stop(): Promise<void>;
}

const PROXIES: readonly {
  readonly name: string;
  readonly isThere: boolean;
  start(api: number, api2: number): Promise<RunningProxyOfTwo>;
}[] = [
  {
    name: 'Caddy',
    isThere: caddyIsThere,
    // The Caddyfile of docker-compose.cluster.yml, with its setting.
    start: async (api, api2) => {
      const caddy = await startCaddy({ api, api2 });
      return { site: { ...caddy, name: 'localhost' }, stop: () => caddy.stop() };
    },
  },
  {
    name: 'HAProxy',
    isThere: isInstalled(HAPROXY),
    start: async (api, api2) => {
      const haproxy = await startProxy(HAPROXY, api, api2);
      return { site: { ...haproxy, name: NAMES.own }, stop: () => haproxy.stop() };
    },
  },
];

/** How the clients connect: kept connections over both protocols, and a new connection for each call. */
const CONNECTIONS: readonly Connection[] = ['HTTP/1.1', 'HTTP/2', 'anew'];

/** Processors that look up one of the gifts again and again. */
class Reads extends Processors {
  constructor(
    options: LoadOptions,
    private readonly contributionId: number,
  ) {
    super(options);
  }

  protected async turn(call: RepeatedCall): Promise<void> {
    await call((client) => client.read(this.contributionId));
  }
}

/** The clients of one proxy. */
class Clients {
  readonly tally = new Tally();
  private readonly gifts: Load;
  private readonly batches: Batches;
  private readonly loads: readonly Processors[];

  /** @param connect makes a client with the connections that this index has. */
  constructor(
    readonly name: string,
    firstGift: number,
    connect: (index: number) => Client,
  ) {
    const all = {
      ...{ login: LOGIN, urls: [''], tally: this.tally, neverRepeats: true },
      connect: (_url: string, _login: Login, index: number) => connect(index),
    };
    this.gifts = new Load({ ...all, name: `single${name}`, clients: 3, pause: 20 });
    this.batches = new Batches({ ...all, name: `batch${name}`, clients: 2, pause: 500 }, [1]);
    this.loads = [this.gifts, this.batches, new Reads({ ...all, name, clients: 3, pause: 20 }, firstGift)];
  }

  async succeed(calls: number): Promise<void> {
    await this.gifts.succeed(calls);
  }

  /** @returns the reasons for which clients have stopped before. */
  async stop(): Promise<readonly unknown[]> {
    const ended = await Promise.allSettled(this.loads.map((load) => load.stop()));
    return ended.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []));
  }

  async assertBooked(ledger: Ledger): Promise<void> {
    await this.gifts.assertBooked(ledger);
    await this.batches.assertBooked(ledger);
  }
}

const installed = PROXIES.filter(({ isThere }) => isThere);
const names = installed.map(({ name }) => name);
const describeIfPossible = installed.length > 0 ? describe : describe.skip;
describeIfPossible(`two services behind ${names.join(' and ')} (skipped only without both)`, () => {
  let database: TestDatabase;
  let variables: Record<string, string>;
  let ports: [number, number];
  let services: [ServiceProcess, ServiceProcess];
  let proxies: readonly RunningProxyOfTwo[];
  let firstGift: number;

  const start = (port: number): Promise<ServiceProcess> =>
    startServiceProcess({ ...variables, PORT: String(port), DRAIN_SECONDS });

  beforeAll(async () => {
    database = await createTestDatabase();
    variables = { DATABASE_URL: database.url, TRUST_PROXY: '1', LOGIN_SECRET: 'the same for both of the services' };
    await createApiUser(variables, LOGIN[1]);
    ports = [await freePort(), await freePort()];
    services = await Promise.all([start(ports[0]), start(ports[1])]);
    proxies = await Promise.all(installed.map((proxy) => proxy.start(...ports)));
    const added = await new Client(services[0].url, ...LOGIN).add(gift('first'));
    firstGift = Number(added.body['ContributionId']);
  }, SETUP_LIMIT);
  beforeEach(async () => {
    for (const proxy of proxies) await untilBothAreUsed(proxy);
  }, SETUP_LIMIT);
  afterAll(async () => {
    for (const proxy of proxies) await proxy.stop();
    for (const service of services) await service.end('SIGKILL');
    await database.drop();
  });

  /** Waits until the proxy sends calls to both services. */
  async function untilBothAreUsed(proxy: RunningProxyOfTwo): Promise<void> {
    const before = services.map(callsOf);
    await until(async () => {
      expect((await clientOf(proxy).read(firstGift)).status).toBe(200);
      return services.every((service, index) => callsOf(service) > (before[index] ?? 0));
    }, 30_000);
  }

  /** The statuses that gifts get, one after the other, through each proxy. */
  async function statusesOfGifts(name: string): Promise<readonly number[]> {
    const statuses = new Set<number>();
    for (const proxy of proxies) {
      for (let count = 0; count < 20; count++)
        statuses.add((await clientOf(proxy).add(gift(`${name}${count}`))).status);
    }
    return [...statuses];
  }

  it('are replaced one after the other, and no call of clients that never repeat one fails', async () => {
    const clients = proxies.map(
      ({ site }, place) =>
        new Clients(names[place] ?? '', firstGift, (index) =>
          clientOf({ site }, CONNECTIONS[index % CONNECTIONS.length]),
        ),
    );
    const succeed = (): Promise<unknown> => Promise.all(clients.map((client) => client.succeed(50)));
    let [answeredLate, slowest] = [0, 0];
    const faults: unknown[] = [];
    try {
      await succeed();
      for (let round = 0; round < ROUNDS; round++) {
        for (const index of [0, 1] as const) {
          const old = services[index];
          const [before, begin] = [callsOf(old), performance.now()];
          expect(await old.end('SIGTERM')).toBe(0);
          slowest = Math.max(slowest, performance.now() - begin);
          answeredLate += callsOf(old) - before;
          // The same program, in place of a new version.
          services[index] = await start(ports[index]);
          for (const proxy of proxies) await untilBothAreUsed(proxy);
        }
      }
      await succeed();
    } finally {
      for (const client of clients) faults.push(...(await client.stop()));
      const stops = `${2 * ROUNDS} stops, the slowest ${(slowest / 1_000).toFixed(1)} s`;
      for (const { name, tally } of clients) printFigures(`2 services behind ${name} are upgraded`, tally, stops);
    }
    expect(faults).toEqual([]);
    for (const { tally } of clients) expect([...tally.seen.keys()]).toEqual(['200']);
    expect(slowest).toBeLessThan(Number(DRAIN_SECONDS) * 1_000 + STOP_LIMIT);
    // Without them this would not be a test.
    expect(answeredLate).toBeGreaterThan(0);
    for (const client of clients) await client.assertBooked(database);
    await assertLedgerInvariants(database);
  }, 300_000);

  it('get reads at the other one at once if one is killed, and all calls when it has failed its check', async () => {
    expect(await services[1].end('SIGKILL')).toBeNull();
    const tally = new Tally();
    const addOne = async (proxy: RunningProxyOfTwo): Promise<number> =>
      tally.note(await clientOf(proxy).add(gift('killed', { Source: 'killed' }))).status;
    for (const proxy of proxies) {
      // A call over a connection to it that the proxy had kept may be cut. After that it needs new ones.
      await until(async () => (await clientOf(proxy).read(firstGift)).status === 200);
      for (let count = 0; count < 10; count++) expect((await clientOf(proxy).read(firstGift)).status).toBe(200);
      // Before Caddy 2.11.2, a call with a body that finds no connection gets 502 instead of the other service.
      let inTurn = 0;
      await until(async () => (inTurn = (await addOne(proxy)) === 200 ? inTurn + 1 : 0) === 20, 30_000);
    }
    services[1] = await start(ports[1]);
    for (const status of tally.seen.keys()) expect(['200', '502']).toContain(status);
    const booked = await database.query(`SELECT FROM contribution WHERE source = 'killed'`);
    expect(booked).toHaveLength(tally.count(200));
  });

  it('get calls also if neither is ready, because a service itself tells callers why', async () => {
    const [last] = await database.query<{ name: string; timestamp: string }>(
      'DELETE FROM migrations WHERE id = (SELECT max(id) FROM migrations) RETURNING name, timestamp',
    );
    const before = services.map(failedChecksOf);
    // Each proxy has failed both of them, and knows of it when it asks again.
    const checks = 2 * proxies.length;
    await until(() => services.every((one, index) => failedChecksOf(one) > (before[index] ?? 0) + checks), 30_000);
    const statuses = await statusesOfGifts('unready');
    for (const { url } of services) expect((await fetch(`${url}/health/ready`)).status).toBe(503);
    expect(statuses).toEqual([200]);
    await database.query('INSERT INTO migrations (name, timestamp) VALUES ($1, $2)', [last?.name, last?.timestamp]);
    for (const { url } of services) await until(async () => (await fetch(`${url}/health/ready`)).ok, 30_000);
  });
});

/** A client of a proxy, which opens a new connection for each call unless a protocol is given. */
function clientOf({ site }: Pick<RunningProxyOfTwo, 'site'>, connection: Connection = 'anew'): Client {
  return new ClientOfSite(site, LOGIN, connection);
}

/** How many calls of clients a service has logged. */
function callsOf(service: ServiceProcess): number {
  return service.output().split('"route":"/Api/').length - 1;
}

/** How many checks of readiness a service has failed. */
function failedChecksOf(service: ServiceProcess): number {
  return service
    .output()
    .split('\n')
    .filter((line) => line.includes('/health/ready') && line.includes('503')).length;
}
