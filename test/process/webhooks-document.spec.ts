import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EVENT_TYPES, TEST_TYPE } from '../../src/webhooks/endpoints/event-types.js';
import { Client } from '../support/client.js';
import { freePort } from '../support/free-port.js';
import { createApiUser, runProgram, type ServiceProcess, startServiceProcess } from '../support/service-process.js';
import { gift } from '../support/test-app.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { until } from '../support/until.js';

const ROOT = new URL('../../', import.meta.url).pathname;
const DOCUMENT = readFileSync(join(ROOT, 'docs/webhooks.md'), 'utf8');
const PASSWORD = 'as the page says';
const RUN = promisify(execFile);

/** The receivers of the page, and how it starts them. */
const RECEIVERS = [
  { file: 'receiver.ts', program: join(ROOT, 'node_modules/.bin/tsx') },
  { file: 'receiver.py', program: 'python3' },
].filter(({ program }) => spawnSync(program, ['--version']).error === undefined);

let directory: string;
let database: TestDatabase;
let variables: Record<string, string>;
let service: ServiceProcess;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'offertory-webhooks-'));
  writeFileSync(join(directory, 'package.json'), '{ "type": "module" }');
  symlinkSync(join(ROOT, 'node_modules'), join(directory, 'node_modules'));
  for (const [, file = '', text = ''] of DOCUMENT.matchAll(/^```\w+ file=(\S+)\n([^]*?)^```$/gmu))
    writeFileSync(join(directory, file), text);
  database = await createTestDatabase();
  variables = { DATABASE_URL: database.url, WEBHOOK_ALLOW_PRIVATE: '1' };
  await createApiUser(variables, PASSWORD);
  service = await startServiceProcess(variables);
});
afterAll(async () => {
  await service.end('SIGTERM');
  await database.drop();
  rmSync(directory, { recursive: true, force: true });
});

it('docs/webhooks.md has a row for each event', () => {
  const rows = [...DOCUMENT.matchAll(/^\| `(\w+\.\w+)` /gm)].map(([, type]) => type);
  expect(rows).toEqual([...EVENT_TYPES, TEST_TYPE]);
});

it('the receiver of docs/webhooks.md in TypeScript type-checks', async () => {
  const options = ['--strict', '--noUncheckedIndexedAccess', '--noEmit', '--skipLibCheck'];
  const target = ['--target', 'es2022', '--module', 'nodenext', '--types', 'node'];
  await RUN(join(ROOT, 'node_modules/.bin/tsc'), [...options, ...target, 'receiver.ts'], { cwd: directory });
});

describe.each(RECEIVERS)('$file of docs/webhooks.md', ({ file, program }) => {
  let receiver: ChildProcess;
  let port: number;
  let secret: string;
  let output = '';

  beforeAll(async () => {
    port = await freePort();
    const events = ['--events', 'contribution.recorded,contribution.reversed', '--user', 'api'];
    const url = `http://127.0.0.1:${port}/hooks`;
    const created = await runProgram('cli', ['webhook', 'create', url, ...events, '--json'], variables);
    ({ secret } = JSON.parse(created.stdout) as { secret: string });
    receiver = spawn(program, [file], { cwd: directory, env: environment() });
    receiver.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString().replaceAll(/([:,]) /g, '$1')));
    await until(() => output.startsWith('ready'));
  });
  afterAll(async () => {
    receiver.kill();
    await once(receiver, 'exit');
  });

  function environment(): Record<string, string> {
    return { PATH: process.env['PATH'] ?? '', HOME: directory, WEBHOOK_SECRET: secret, PORT: String(port) };
  }

  /** Sends a message to the receiver, signed without the library. @returns the status. */
  async function send(id: string, body: string, { age = 0, key = secret } = {}): Promise<number> {
    const timestamp = String(Math.floor(Date.now() / 1_000) - age);
    const bytes = Buffer.from(key.replace('whsec_', ''), 'base64');
    const signature = createHmac('sha256', bytes).update(`${id}.${timestamp}.${body}`).digest('base64');
    const { status } = await fetch(`http://127.0.0.1:${port}/hooks`, {
      method: 'POST',
      headers: { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` },
      body,
    });
    return status;
  }

  it('accepts what the service sends', async () => {
    const client = new Client(service.url, 'api', PASSWORD);
    const { body } = await client.add(gift(`of${port}`));
    const contributionId = Number(body['ContributionId']);
    await client.reverse(contributionId);
    // In any order.
    const recorded = `contribution.recorded ${JSON.stringify({ peopleId: body['PeopleId'], contributionId })}\n`;
    await until(() => output.includes(recorded) && output.includes('contribution.reversed'));
  });

  it('refuses what is forged or old, and does nothing for what it knows', async () => {
    const body = '{"type":"webhook.test","data":{"webhookId":7}}';
    const before = output.length;
    expect(await send('msg_forged', body, { key: `whsec_${randomBytes(32).toString('base64')}` })).toBe(401);
    expect(await send('msg_old', body, { age: 600 })).toBe(401);
    expect([await send('msg_twice', body), await send('msg_twice', body)]).toEqual([204, 204]);
    await until(() => output.length > before);
    expect(output.slice(before)).toBe('webhook.test {"webhookId":7}\n');
  });

  it('accepts the message that the page signs by hand, and not after a change of it', async () => {
    const [, commands = ''] = /^```sh\n(ID=[^]*?)^```$/m.exec(DOCUMENT) ?? [];
    const before = output.length;
    const options = { cwd: directory, env: environment() };
    expect((await RUN('/bin/sh', ['-ec', commands], options)).stdout).toMatch(/^HTTP\/1\.[01] 204 /);
    await until(() => output.length > before);
    expect(output.slice(before)).toBe('contribution.recorded {"contributionId":1,"peopleId":152}\n');
    const changed = commands.replace('--data-binary "$BODY"', `--data-binary "$BODY "`);
    expect((await RUN('/bin/sh', ['-ec', changed], options)).stdout).toMatch(/^HTTP\/1\.[01] 401 /);
  });
});
