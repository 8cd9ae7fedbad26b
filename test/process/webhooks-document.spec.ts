import { type ChildProcess, execFile, spawn } from 'node:child_process';
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

let directory: string;
let database: TestDatabase;
let service: ServiceProcess;
let receiver: ChildProcess;
let port: number;
let output = '';
let secret = '';

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'offertory-webhooks-'));
  writeFileSync(join(directory, 'package.json'), '{ "type": "module" }');
  symlinkSync(join(ROOT, 'node_modules'), join(directory, 'node_modules'));
  const [, program = ''] = /^```ts file=receiver\.ts\n([^]*?)^```$/mu.exec(DOCUMENT) ?? [];
  writeFileSync(join(directory, 'receiver.ts'), program);
  database = await createTestDatabase();
  port = await freePort();
  const variables = { DATABASE_URL: database.url, WEBHOOK_ALLOW_PRIVATE: '1' };
  await createApiUser(variables, PASSWORD);
  const events = ['--events', 'contribution.recorded,contribution.reversed', '--user', 'api'];
  const url = `http://127.0.0.1:${port}/hooks`;
  const created = await runProgram('cli', ['webhook', 'create', url, ...events, '--json'], variables);
  ({ secret } = JSON.parse(created.stdout) as { secret: string });
  receiver = spawn(join(ROOT, 'node_modules/.bin/tsx'), ['receiver.ts'], {
    cwd: directory,
    env: { PATH: process.env['PATH'] ?? '', HOME: directory, WEBHOOK_SECRET: secret, PORT: String(port) },
  });
  receiver.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await until(() => output.startsWith('ready'));
  service = await startServiceProcess(variables);
});
afterAll(async () => {
  await service.end('SIGTERM');
  receiver.kill();
  await once(receiver, 'exit');
  await database.drop();
  rmSync(directory, { recursive: true, force: true });
});

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

describe('docs/webhooks.md', () => {
  it('has a receiver that type-checks', async () => {
    const options = ['--strict', '--noUncheckedIndexedAccess', '--noEmit', '--skipLibCheck'];
    const target = ['--target', 'es2022', '--module', 'nodenext', '--types', 'node'];
    await promisify(execFile)(join(ROOT, 'node_modules/.bin/tsc'), [...options, ...target, 'receiver.ts'], {
      cwd: directory,
    });
  });

  it('has a receiver that accepts what the service sends', async () => {
    const client = new Client(service.url, 'api', PASSWORD);
    const { body } = await client.add(gift('page'));
    const contributionId = Number(body['ContributionId']);
    await client.reverse(contributionId);
    await until(() => output.includes('contribution.reversed'));
    expect(output).toContain(
      `contribution.recorded ${JSON.stringify({ peopleId: body['PeopleId'], contributionId })}\n`,
    );
  });

  it('has a receiver that refuses what is forged or old, and does nothing for what it knows', async () => {
    const body = '{"type":"webhook.test","data":{"webhookId":7}}';
    const before = output.length;
    expect(await send('msg_forged', body, { key: `whsec_${randomBytes(32).toString('base64')}` })).toBe(401);
    expect(await send('msg_old', body, { age: 600 })).toBe(401);
    expect([await send('msg_twice', body), await send('msg_twice', body)]).toEqual([204, 204]);
    expect(output.slice(before)).toBe('webhook.test {"webhookId":7}\n');
  });

  it('has a row for each event', () => {
    const rows = [...DOCUMENT.matchAll(/^\| `(\w+\.\w+)` /gm)].map(([, type]) => type);
    expect(rows).toEqual([...EVENT_TYPES, TEST_TYPE]);
  });
});
