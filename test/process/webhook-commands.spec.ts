import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client } from '../support/client.js';
import {
  type Outcome,
  createApiUser,
  runProgram,
  type ServiceProcess,
  startServiceProcess,
} from '../support/service-process.js';
import { gift } from '../support/test-app.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { until } from '../support/until.js';
import { answering, verifies, WebhookReceiver } from '../support/webhook-receiver.js';

const PASSWORD = 'somebody wants to know';

let database: TestDatabase;
let receiver: WebhookReceiver;
let service: ServiceProcess;
let variables: Record<string, string>;
let secret = '';

beforeAll(async () => {
  database = await createTestDatabase();
  receiver = await WebhookReceiver.start();
  variables = { DATABASE_URL: database.url, WEBHOOK_ALLOW_PRIVATE: '1', WEBHOOK_RETRY_FACTOR: '0.00001' };
  await createApiUser(variables, PASSWORD);
  service = await startServiceProcess(variables);
});
afterAll(async () => {
  expect(await service.end('SIGTERM')).toBe(0);
  await receiver.stop();
  await database.drop();
});

const offertory = (...args: string[]): Promise<Outcome> => runProgram('cli', ['webhook', ...args], variables);

async function json(...args: string[]): Promise<unknown> {
  const { code, stdout, stderr } = await offertory(...args, '--json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}

const add = async (name: string): Promise<number> =>
  Number((await new Client(service.url, 'api', PASSWORD).add(gift(name))).body['ContributionId']);

it('webhook create prints the secret once, and the webhook is told of the next gift', async () => {
  const created = (await json('create', receiver.url(), '--events', 'contribution.recorded,bundle.closed')) as {
    secret: string;
  };
  ({ secret } = created);
  expect(created).toMatchObject({
    id: 1,
    url: receiver.url(),
    user: null,
    status: 'enabled',
    createdBy: 'command line',
  });
  expect(secret).toMatch(/^whsec_/);
  const contributionId = await add('told');
  await until(() => receiver.received.length === 1);
  const [message] = receiver.received;
  expect(message?.content).toMatchObject({ type: 'contribution.recorded', data: { contributionId } });
  expect(message !== undefined && verifies(message, secret)).toBe(true);
  const list = await offertory('list');
  expect(list.stdout).toContain(receiver.url());
  expect(list.stdout).not.toContain('whsec_');
});

it('webhook create --user is told of the gifts of this user', async () => {
  expect(
    await json('create', receiver.url('/own'), '--events', 'contribution.recorded', '--user', 'api'),
  ).toMatchObject({ id: 2, user: 'api' });
  await add('own');
  await until(() => receiver.at('/own').length === 1);
});

it('webhook test prints the result, and fails if the receiver does not take it', async () => {
  expect(await json('test', '1')).toMatchObject({ type: 'webhook.test', status: 'delivered', lastStatus: 204 });
  receiver.behaviours.set('/hooks', answering(500));
  const failed = await offertory('test', '1');
  expect(failed).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^status +failed$/m),
    stderr: 'error: The receiver did not take the test. The receiver answered 500.\n',
  });
});

it('webhook deliveries lists what was given up, and webhook replay sends it again', async () => {
  await add('lost');
  await until(async () => ((await json('deliveries', '1', '--status', 'failed')) as object[]).length === 2);
  const [lost] = (await json('deliveries', '1', '--status', 'failed')) as { id: number }[];
  expect(lost).toMatchObject({ webhookId: 1, type: 'contribution.recorded', attempts: 10, lastStatus: 500 });
  receiver.behaviours.delete('/hooks');
  const before = receiver.at('/hooks').length;
  expect((await offertory('replay', String(lost?.id))).stdout).toBe(
    '1 to be sent now; see: offertory webhook deliveries\n',
  );
  await until(() => receiver.at('/hooks').length === before + 1);
  // The failed test is not sent again.
  expect(await json('replay', '--all')).toEqual({ toBeSent: 0 });
  expect(await json('replay', '--all', '--webhook', '1')).toEqual({ toBeSent: 0 });
});

it('webhook rotate prints a new secret, beside which the former one signs', async () => {
  const { secret: rotated } = (await json('rotate', '1')) as { secret: string };
  await json('test', '1');
  const message = receiver.at('/hooks').at(-1) ?? { body: '', headers: {} };
  expect([secret, rotated].map((one) => verifies(message, one))).toEqual([true, true]);
});

it('webhook disable and webhook enable', async () => {
  expect(await json('disable', '1')).toMatchObject({ id: 1, status: 'disabled', disabledBy: 'command line' });
  expect(await json('enable', '1')).toMatchObject({ id: 1, status: 'enabled', disabledBy: null });
  await json('disable', '1');
});

it.each([
  [
    ['create', 'https://example.org/', '--events', 'gifts'],
    /option '--events <events>' argument 'gifts' is invalid\. They must be of contribution\.recorded/,
  ],
  [['create', 'https://example.org/'], /required option '--events <events>' not specified/],
  [['create', 'ftp://example.org/', '--events', 'bundle.closed'], /^error: Url must be an https URL\.$/m],
  [
    ['create', 'https://example.org/', '--events', 'bundle.closed', '--user', 'nobody'],
    /^error: User must be the name of an active user\.$/m,
  ],
  [['disable', '99'], /^error: There is no webhook 99\.$/m],
  [['test', '1'], /^error: Webhook 1 is disabled\. Enable it first\.$/m],
  [['replay'], /^error: Give ids of deliveries, or --all; --webhook comes with --all\.$/m],
  [['replay', '1', '--webhook', '1'], /^error: Give ids of deliveries, or --all/m],
  [['replay', '99'], /^error: No delivery of a webhook has the id 99\.$/m],
])('webhook %j is refused with a message', async (args, message) => {
  expect(await offertory(...args)).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(message) });
});
