import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Batches } from '../faults/batches-load.js';
import { freePort } from '../support/free-port.js';
import { noteSecret } from '../support/kept-logs.js';
import { assertLedgerInvariants } from '../support/ledger-invariants.js';
import { Load, type Processors } from '../support/load.js';
import { createApiUser, runProgram, type ServiceProcess, startServiceProcess } from '../support/service-process.js';
import { printFigures } from '../support/tally.js';
import type { Login } from '../support/test-app.js';
import { until } from '../support/until.js';
import { answering, verifies, WebhookReceiver } from '../support/webhook-receiver.js';
import { Answers } from './answers.js';
import { Deposits } from './deposits-load.js';
import { FAILOVERS, type Failover } from './extent.js';
import { PASSWORDS, PatroniCluster } from './patroni-cluster.js';
import { missingPrograms } from './programs.js';
import { WriteProbe } from './write-probe.js';

const LOGIN: Login = ['api', 'three nodes and two services'];
/** How much longer than the cluster callers may get 503, in milliseconds. */
const LONGER_THAN_PATRONI = 3_000;
/** How long a failover, and the recovery of all callers, may take on a busy machine, in milliseconds. */
const FAILOVER_LIMIT = 120_000;
const SETTLED_LIMIT = 600_000;

const isPossible = missingPrograms.length === 0;
if (!isPossible) process.stdout.write(`Skipped without ${missingPrograms.join(', ')}: .ci/install-patroni\n`);

const whenPossible = isPossible ? describe : describe.skip;
whenPossible('a cluster under load (skipped only without Patroni, etcd, HAProxy or PostgreSQL)', () => {
  let cluster: PatroniCluster;
  let receiver: WebhookReceiver;
  const unverified: string[] = [];
  let variables: Record<string, string>;
  let ports: readonly number[];
  let services: [ServiceProcess, ServiceProcess];
  const answers = new Answers();
  let gifts: Load;
  let batches: Batches;
  let deposits: Deposits;
  let loads: readonly Processors[] = [];

  const start = (index: number): Promise<ServiceProcess> =>
    startServiceProcess({ ...variables, PORT: String(ports[index]) });

  beforeAll(async () => {
    for (const password of Object.values(PASSWORDS)) noteSecret(password);
    cluster = await PatroniCluster.start();
    receiver = await WebhookReceiver.start();
    variables = { ...cluster.variables, WEBHOOK_ALLOW_PRIVATE: '1', WEBHOOK_RETRY_FACTOR: '0.001' };
    await createApiUser(variables, LOGIN[1]);
    const events = 'contribution.recorded,contribution.reversed';
    const created = await runProgram(
      'cli',
      ['webhook', 'create', receiver.url(), '--events', events, '--json'],
      variables,
    );
    const { secret } = JSON.parse(created.stdout) as { secret: string };
    // When it arrives: later its signature is too old.
    receiver.behaviours.set('/hooks', (response, message, socket) => {
      if (!verifies(message, secret)) unverified.push(message.id);
      answering(204)(response, message, socket);
    });
    const added = await cluster.query<{ id: number }>(`INSERT INTO fund (name) VALUES ('Roof') RETURNING id`);
    ports = [await freePort(), await freePort()];
    services = await Promise.all([start(0), start(1)]);
    const all = { login: LOGIN, urls: services.map(({ url }) => url), tally: answers };
    gifts = new Load({ ...all, name: 'single', clients: 6, pause: 200 });
    batches = new Batches({ ...all, name: 'batch', clients: 4, pause: 1_000 }, [1, ...added.map(({ id }) => id)]);
    deposits = new Deposits({ ...all, name: 'deposit', clients: 2, pause: 500 });
    loads = [gifts, batches, deposits];
  });
  afterAll(async () => {
    await Promise.allSettled(loads.map((load) => load.stop()));
    for (const service of services) await service.end('SIGKILL');
    await receiver.stop();
    await cluster.destroy();
  });

  const untilServed = (): Promise<unknown> => Promise.all(loads.map((load) => load.recover(FAILOVER_LIMIT)));

  it.each(FAILOVERS)('$number. its primary is $name: callers get 503 only while Patroni needs it', async (failover) => {
    await cluster.untilComplete();
    await untilServed();
    const primary = await cluster.primary();
    answers.begin();
    const probe = new WriteProbe(cluster.url);
    await until(() => probe.lastBy(primary.port) !== undefined);
    try {
      await Promise.all([failover.strike(primary, cluster), failover.killsService && restartService()]);
      await until(() => probe.firstNotBy(primary.port) !== undefined, FAILOVER_LIMIT);
      await untilServed();
      await failover.repair(primary);
      await cluster.untilComplete();
      await untilServed();
    } finally {
      await probe.stop();
    }
    judge(failover, probe, primary.port);
  });

  /** Kills a service. It is started until it runs, as compose does: it ends if it loses the database while it starts. */
  async function restartService(): Promise<void> {
    await services[1].end('SIGKILL');
    for (let isRunning = false; !isRunning;) {
      isRunning = await start(1).then(
        (service) => {
          services[1] = service;
          return true;
        },
        () => false,
      );
    }
  }

  /** Prints and checks the answers to callers during a failover from the server with this port. */
  function judge({ name, number, killsService }: Failover, probe: WriteProbe, from: number): void {
    const back = probe.firstNotBy(from) ?? NaN;
    const away = back - (probe.lastBy(from) ?? NaN);
    const longer = answers.lastUnavailable === undefined ? undefined : answers.lastUnavailable - back;
    const seconds = (milliseconds: number): string => `${(milliseconds / 1_000).toFixed(1)} s`;
    printFigures(
      `${number}. primary ${name}${killsService ? ', a service killed' : ''}`,
      answers.current,
      `no writes for ${seconds(away)}; last 503 ${longer === undefined ? 'none' : seconds(longer)} after`,
    );
    const expected = killsService ? /^(200|0|503 .*)$/ : /^(200|503 .*)$/;
    for (const what of answers.current.seen.keys()) expect(what).toMatch(expected);
    expect(answers.current.retryAfterMissing).toBe(0);
    expect(longer ?? 0).toBeLessThanOrEqual(LONGER_THAN_PATRONI);
  }

  it('then has every acknowledged gift, reversal and deposit once, on all nodes, and every event was delivered', async () => {
    for (const load of loads) await load.stop();
    await gifts.assertBooked(cluster);
    await batches.assertBooked(cluster);
    await deposits.assertBooked(cluster);
    await assertLedgerInvariants(cluster);

    const pending = `SELECT FROM webhook_delivery WHERE status <> 'delivered' LIMIT 1`;
    await until(async () => (await cluster.query(pending)).length === 0, SETTLED_LIMIT);
    const entries = await cluster.query<{ entry: string }>(
      `SELECT CASE WHEN reverses_id IS NULL THEN 'recorded ' ELSE 'reversed ' END || id AS entry FROM contribution`,
    );
    const received = receiver.received.flatMap(({ content: { type, data } }) => eventsOf(type, data));
    expect([...new Set(received)].sort()).toEqual(entries.map(({ entry }) => entry).sort());
    expect(unverified).toEqual([]);

    await cluster.untilComplete();
    const books = `SELECT count(*), sum(amount), max(id) FROM contribution`;
    const copies = await Promise.all(cluster.nodes.map((node) => cluster.queryOn(node, books)));
    for (const copy of copies) expect(copy).toEqual(copies[0]);

    const repeated = received.length - entries.length;
    printFigures(
      `${FAILOVERS.length} failovers`,
      answers,
      `${gifts.gifts.size} gifts and ${gifts.reversals.size} reversals, ${batches.gifts.size} gifts in batches, ` +
        `${deposits.deposits.length} deposits, ${entries.length} events, ${repeated} repeated`,
    );
    for (const service of services) {
      expect(await service.end('SIGTERM')).toBe(0);
      expect(service.output()).not.toContain('internal_error');
    }
  });
});

/** The rows of the books that an event is about: "recorded 5". */
function eventsOf(type: string, data: Record<string, unknown>): string[] {
  if (type === 'contribution.recorded') return [`recorded ${String(data['contributionId'])}`];
  const entries = data['entries'] as readonly { readonly reversingContributionId: number }[];
  return entries.map((entry) => `reversed ${entry.reversingContributionId}`);
}
