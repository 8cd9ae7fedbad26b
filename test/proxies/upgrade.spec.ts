import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Batches } from '../faults/batches-load.js';
import { caddyIsThere, startProxy as startCaddy } from '../life/caddy.js';
import { Client, type Answer } from '../support/client.js';
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
import { HAPROXY } from './proxies.js';
import { ClientOfSite } from './client-of-site.js';
import { isInstalled, startProxy } from './running-proxy.js';

const LOGIN: Login = ['api', 'one after the other'];
/** How often both services are replaced. */
const ROUNDS = Number(process.env['UPGRADE_ROUNDS'] ?? 2);
/** As in docker-compose.cluster.yml, unless the test is to show what it is good for. */
const DRAIN_SECONDS = process.env['UPGRADE_DRAIN_SECONDS'] ?? drainSecondsOf('docker-compose.cluster.yml');
/** How long a service may take after DRAIN_SECONDS, in milliseconds. */
const STOP_LIMIT = 10_000;

function drainSecondsOf(file: string): string {
  const text = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
  const [, seconds] = /^ +DRAIN_SECONDS: '(\d+)'$/m.exec(text) ?? [];
  if (seconds === undefined) throw new Error(`${file} has no DRAIN_SECONDS`);
  return seconds;
}

/** A proxy in front of two services that runs. */
interface ProxyOfTwo {
  readonly site: Site;
  stop(): Promise<void>;
}

const PROXIES: readonly {
  readonly name: string;
  readonly isThere: boolean;
  start(api: number, api2: number): Promise<ProxyOfTwo>;
}[] = [
  {
    name: 'Caddy',
    isThere: caddyIsThere,
    // The Caddyfile of docker-compose.cluster.yml, with its setting.
    start: async (api, api2) => {
      const { port, ca, stop } = await startCaddy({ api, api2 });
      return { site: { name: 'localhost', port, ca }, stop };
    },
  },
  {
    name: 'HAProxy',
    isThere: isInstalled(HAPROXY),
    start: async (api, api2) => {
      const { port, ca, stop } = await startProxy(HAPROXY, api, api2);
      return { site: { name: NAMES.own, port, ca }, stop };
    },
  },
];

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

describe.each(PROXIES)('two services behind $name', ({ name, isThere, start: startInFront }) => {
  const describeIfPossible = isThere ? describe : describe.skip;
  describeIfPossible('(skipped only without the proxy)', () => {
    let database: TestDatabase;
    let variables: Record<string, string>;
    let ports: [number, number];
    let services: [ServiceProcess, ServiceProcess];
    let proxy: ProxyOfTwo;
    let firstGift: number;

    const start = (port: number): Promise<ServiceProcess> =>
      startServiceProcess({ ...variables, PORT: String(port), DRAIN_SECONDS });
    const connect = (_url: string, login: Login, index: number): Client =>
      new ClientOfSite(proxy.site, login, CONNECTIONS[index % CONNECTIONS.length] ?? 'HTTP/1.1');
    const add = (key: string): Promise<Answer> => connect('', LOGIN, 2).add(gift(key, { Source: name }));

    beforeAll(async () => {
      database = await createTestDatabase();
      variables = { DATABASE_URL: database.url, TRUST_PROXY: '1', LOGIN_SECRET: 'the same for both of the services' };
      await createApiUser(variables, LOGIN[1]);
      ports = [await freePort(), await freePort()];
      services = [await start(ports[0]), await start(ports[1])];
      proxy = await startInFront(...ports);
      firstGift = Number((await add('first')).body['ContributionId']);
    });
    beforeEach(() => untilBothAreUsed());
    afterAll(async () => {
      await proxy.stop();
      for (const service of services) await service.end('SIGKILL');
      await database.drop();
    });

    /** Waits until the proxy sends calls to both services. */
    async function untilBothAreUsed(): Promise<void> {
      const before = services.map(callsOf);
      await until(async () => {
        expect((await connect('', LOGIN, 2).read(firstGift)).status).toBe(200);
        return services.every((service, index) => callsOf(service) > (before[index] ?? 0));
      }, 30_000);
    }

    it('are replaced one after the other, and no call of clients that never repeat one fails', async () => {
      const tally = new Tally();
      const all = { login: LOGIN, urls: [''], tally, neverRepeats: true, connect };
      const gifts = new Load({ ...all, name: 'single', clients: 6 });
      const batches = new Batches({ ...all, name: 'batch', clients: 4, pause: 300 }, [1]);
      const reads = new Reads({ ...all, name: 'reads', clients: 3 }, firstGift);
      const loads: readonly Processors[] = [gifts, batches, reads];
      let [answeredLate, slowest] = [0, 0];
      try {
        await gifts.succeed(100);
        for (let round = 0; round < ROUNDS; round++) {
          for (const index of [0, 1] as const) {
            const old = services[index];
            const before = callsOf(old);
            const begin = performance.now();
            expect(await old.end('SIGTERM')).toBe(0);
            slowest = Math.max(slowest, performance.now() - begin);
            answeredLate += callsOf(old) - before;
            // The program of the same build, because a test has only one.
            services[index] = await start(ports[index]);
            await until(() => callsOf(services[index]) > 0, 30_000);
          }
        }
        await gifts.succeed(100);
      } finally {
        const ended = await Promise.allSettled(loads.map((load) => load.stop()));
        const remark = `${2 * ROUNDS} stops, the slowest ${(slowest / 1_000).toFixed(1)} s`;
        printFigures(
          `2 services behind ${name}: upgrades`,
          tally,
          `${remark}; ${answeredLate} calls answered meanwhile`,
        );
        expect([...tally.seen.keys()]).toEqual(['200']);
        expect(ended.filter(({ status }) => status === 'rejected')).toEqual([]);
      }
      expect(slowest).toBeLessThan(Number(DRAIN_SECONDS) * 1_000 + STOP_LIMIT);
      expect(answeredLate).toBeGreaterThan(0);
      await assertBooked(database, gifts, batches);
    }, 300_000);

    it('get all calls that reach one of them if the other one is killed', async () => {
      expect(await services[1].end('SIGKILL')).toBeNull();
      const statuses = new Set<number>();
      for (let count = 0; count < 20; count++) statuses.add((await add(`killed${count}`)).status);
      services[1] = await start(ports[1]);
      expect([...statuses]).toEqual([200]);
    });

    it('get calls also if neither is ready, because a service itself tells callers why', async () => {
      const [last] = await database.query<{ name: string; timestamp: string }>(
        'DELETE FROM migrations WHERE id = (SELECT max(id) FROM migrations) RETURNING name, timestamp',
      );
      const isReady = async ({ url }: ServiceProcess): Promise<boolean> => (await fetch(`${url}/health/ready`)).ok;
      const checks = services.map(failedChecksOf);
      // The second failed check of a service shows that the proxy knows of the first one.
      await until(() => services.every((service, index) => failedChecksOf(service) > (checks[index] ?? 0) + 1), 30_000);
      const statuses = new Set<number>();
      for (let count = 0; count < 10; count++) statuses.add((await add(`unready${count}`)).status);
      expect([...statuses, await isReady(services[0]), await isReady(services[1])]).toEqual([200, false, false]);
      await database.query('INSERT INTO migrations (name, timestamp) VALUES ($1, $2)', [last?.name, last?.timestamp]);
      await until(async () => (await isReady(services[0])) && (await isReady(services[1])), 30_000);
    });
  });
});

/** How the clients connect: kept connections over both protocols, and a new connection for each call. */
const CONNECTIONS = ['HTTP/1.1', 'HTTP/2', 'anew'] as const;

async function assertBooked(ledger: TestDatabase & Ledger, gifts: Load, batches: Batches): Promise<void> {
  await gifts.assertBooked(ledger);
  await batches.assertBooked(ledger);
  await assertLedgerInvariants(ledger);
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
