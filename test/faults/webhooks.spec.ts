import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client } from '../support/client.js';
import { freePort } from '../support/free-port.js';
import { assertInvariantsOfManyRows } from '../support/ledger-invariants.js';
import { letJobsExpire } from '../support/notices.js';
import { createApiUser, runProgram, type ServiceProcess, startServiceProcess } from '../support/service-process.js';
import { printFigures, Tally } from '../support/tally.js';
import { gift, type Login } from '../support/test-app.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { until } from '../support/until.js';
import {
  answering,
  type Behaviour,
  type ReceivedMessage,
  resetting,
  verifies,
  WebhookReceiver,
} from '../support/webhook-receiver.js';
import { EXTENT } from './extent.js';

const LOGIN: Login = ['api', 'whoever wants to know'];
const BATCH = 50;
/** Ten attempts take a minute. */
const RETRY_FACTOR = '0.0002';
/** How long all deliveries may take to be settled, in milliseconds. */
const SETTLED_LIMIT = 600_000;

/** Messages that the library did not accept with the secret of their webhook. */
const refused: ReceivedMessage[] = [];

/** Verifies a message when it arrives, as a receiver does: the library refuses messages that are older than five minutes. */
function verify(message: ReceivedMessage): void {
  if (!verifies(message, secrets.get(message.path)?.secret ?? '')) refused.push(message);
}

/** How often a message arrived. */
const arrivals = new Map<string, number>();

/** Behaves badly for the first attempts of each message, and then takes it. */
const atFirst =
  (attempts: number, behaviour: Behaviour): Behaviour =>
  (response, message, socket) => {
    const before = (arrivals.get(message.id) ?? 0) - 1;
    if (before < attempts) behaviour(response, message, socket);
    else response.writeHead(200).end();
  };

const slow: Behaviour = (response) => {
  setTimeout(() => response.writeHead(200).end(), 200);
};

/** How many messages a receiver takes before it is gone. */
const TAKEN_BEFORE_GONE = 30;

const gone: Behaviour = (response) => {
  response.writeHead(receiver.at('/gone').length > TAKEN_BEFORE_GONE ? 410 : 200).end();
};

/** The receivers, by their paths. */
const BEHAVIOURS: Readonly<Record<string, Behaviour>> = {
  '/steady': answering(204),
  '/slow': slow,
  '/fails-twice': atFirst(2, answering(500)),
  '/resets-twice': atFirst(2, resetting),
  '/broken': answering(500),
  '/moved': answering(301, { Location: '/steady' }),
  '/resets': resetting,
  '/gone': gone,
};

let database: TestDatabase;
let receiver: WebhookReceiver;
let late: WebhookReceiver | undefined;
let latePort: number;
let replicas: [ServiceProcess, ServiceProcess];
const secrets = new Map<string, { readonly id: number; readonly secret: string }>();

beforeAll(async () => {
  database = await createTestDatabase();
  receiver = await WebhookReceiver.start();
  const variables = { DATABASE_URL: database.url, WEBHOOK_ALLOW_PRIVATE: '1', WEBHOOK_RETRY_FACTOR: RETRY_FACTOR };
  await createApiUser(variables, LOGIN[1]);
  for (const [path, behaviour] of Object.entries(BEHAVIOURS)) {
    receiver.behaviours.set(path, (response, message, socket) => {
      verify(message);
      arrivals.set(message.id, (arrivals.get(message.id) ?? 0) + 1);
      behaviour(response, message, socket);
    });
    await create(receiver.url(path), path, variables);
  }
  // Nobody listens there at first.
  latePort = await freePort();
  await create(`http://127.0.0.1:${latePort}/down`, '/down', variables);
  replicas = await Promise.all([startServiceProcess(variables), startServiceProcess(variables)]);
});
afterAll(async () => {
  await assertInvariantsOfManyRows(database);
  for (const replica of replicas) await replica.end('SIGTERM');
  await receiver.stop();
  await late?.stop();
  await database.drop();
});

async function create(url: string, path: string, variables: Record<string, string>): Promise<void> {
  const args = ['webhook', 'create', url, '--events', 'contribution.recorded', '--json'];
  const { stdout } = await runProgram('cli', args, variables);
  secrets.set(path, JSON.parse(stdout) as { id: number; secret: string });
}

/** Sends this number of gifts, in batches, to both replicas in turn. @returns the ids of those that were acknowledged. */
async function giveMany(count: number, tally: Tally): Promise<number[]> {
  const acknowledged: number[] = [];
  for (let first = 0; first < count; first += BATCH) {
    const Gifts = Array.from({ length: Math.min(BATCH, count - first) }, (_, i) => ({
      ...gift(`webhook${(first + i) % 40}`),
      ...{ Source: 'faults', TransactionId: `t-${first + i}`, Amount: `${first + i + 1}.00` },
    }));
    const [one, other] = replicas;
    // A batch that the killed replica did not answer is sent again, as a processor does.
    for (const replica of (first / BATCH) % 2 === 0 ? [one] : [other, one]) {
      const options = {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ Gifts }),
      };
      const answer = tally.note(await new Client(replica.url, ...LOGIN).request('/Api/AddContributions', options));
      if (answer.status !== 200) continue;
      const { Results } = answer.body as unknown as { Results: { Answer: { ContributionId: number } }[] };
      acknowledged.push(...Results.map(({ Answer }) => Answer.ContributionId));
      break;
    }
  }
  return acknowledged;
}

interface Delivery {
  readonly path: string;
  readonly id: string;
  readonly contributionId: number;
  readonly status: string;
  readonly attempts: number;
}

async function deliveries(): Promise<Delivery[]> {
  return database.query<Delivery>(
    `SELECT substring(e.url FROM '://[^/]*(/.*)$') AS path, 'msg_' || d.message_id AS id,
       (d.data ->> 'contributionId')::integer AS "contributionId", d.status, d.attempts
     FROM webhook_delivery d JOIN webhook_endpoint e ON e.id = d.endpoint_id`,
  );
}

const pending = async (): Promise<number> =>
  (await database.query("SELECT FROM webhook_delivery WHERE status = 'pending'")).length;

it(`each of ${EXTENT.webhookEvents} events arrives at least once or is listed as given up, although a replica is killed`, async () => {
  const tally = new Tally();
  const giving = giveMany(EXTENT.webhookEvents, tally);
  await until(() => receiver.at('/steady').length >= EXTENT.webhookEvents / 4, 120_000);
  // It has worked on deliveries, and is killed while it does.
  await until(() => /Webhook \d+ failed/.test(replicas[1].output()), 120_000);
  await replicas[1].end('SIGKILL');
  late = await WebhookReceiver.start(latePort);
  late.behaviours.set('/down', (response, message) => {
    verify(message);
    response.writeHead(204).end();
  });
  const acknowledged = await giving;
  if (!EXTENT.waitsForJobs) await letJobsExpire(database);
  await until(async () => (await pending()) === 0, SETTLED_LIMIT);

  const all = await deliveries();
  const messages = [...receiver.received, ...late.received];
  expect(refused.slice(0, 10)).toEqual([]);
  const received = new Set(messages.map(({ id }) => id));
  expect(all.filter(({ status, id }) => status === 'delivered' && !received.has(id))).toEqual([]);
  expect(all.filter(({ status }) => status !== 'delivered' && status !== 'failed')).toEqual([]);

  const recorded = (await database.query<{ id: number }>('SELECT id FROM contribution')).map(({ id }) => id);
  expect(recorded).toHaveLength(EXTENT.webhookEvents);
  expect(new Set(acknowledged)).toEqual(new Set(recorded));
  const of = (path: string): Delivery[] => all.filter((delivery) => delivery.path === path);
  const countOf = (path: string, status: string): number => of(path).filter((one) => one.status === status).length;
  for (const path of [...Object.keys(BEHAVIOURS), '/down'].filter((one) => one !== '/gone')) {
    expect([path, new Set(of(path).map(({ contributionId }) => contributionId)).size]).toEqual([path, recorded.length]);
    expect([path, of(path).length]).toEqual([path, recorded.length]);
  }
  for (const path of ['/steady', '/slow', '/fails-twice', '/resets-twice', '/down'])
    expect([path, countOf(path, 'delivered')]).toEqual([path, recorded.length]);
  for (const path of ['/broken', '/moved', '/resets']) {
    expect([path, countOf(path, 'failed')]).toEqual([path, recorded.length]);
    expect(of(path).every(({ attempts }) => attempts === 10)).toBe(true);
  }
  expect(countOf('/gone', 'delivered')).toBe(TAKEN_BEFORE_GONE);
  expect(countOf('/gone', 'failed')).toBeGreaterThan(0);
  expect(
    await database.query('SELECT FROM webhook_endpoint WHERE disabled_at IS NOT NULL AND disabled_by IS NULL'),
  ).toHaveLength(1);
  const repeated = receiver.at('/steady').length - recorded.length;
  // What the killed replica had sent and not recorded.
  expect(repeated).toBeLessThanOrEqual(20);
  printFigures(
    `${all.length} deliveries of ${recorded.length} events, one replica is killed`,
    tally,
    `${repeated} repeated`,
  );
});

it('what was given up is delivered after a replay, when the receiver works again', async () => {
  receiver.behaviours.set('/broken', answering(200));
  const { id = 0, secret = '' } = secrets.get('/broken') ?? {};
  const before = receiver.at('/broken').length;
  const variables = { DATABASE_URL: database.url };
  const { stdout } = await runProgram(
    'cli',
    ['webhook', 'replay', '--all', '--webhook', String(id), '--json'],
    variables,
  );
  expect(JSON.parse(stdout)).toEqual({ toBeSent: EXTENT.webhookEvents });
  await until(async () => (await pending()) === 0, SETTLED_LIMIT);
  const again = receiver.at('/broken').slice(before);
  expect(again.every((message) => verifies(message, secret))).toBe(true);
  expect(new Set(again.map((message) => message.id)).size).toBe(EXTENT.webhookEvents);
  const left = (await deliveries()).filter(({ path, status }) => path === '/broken' && status !== 'delivered');
  expect(left).toEqual([]);
});
