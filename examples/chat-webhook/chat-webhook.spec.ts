import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../../test/support/test-app.js';
import { until } from '../../test/support/until.js';
import { ChatWebhookModule } from './chat-webhook.module.js';
import { createExampleDatabase, type TestDatabase } from './example-database.js';

let room: Server;
let answers: number[] = [];
let posted: string[] = [];
let database: TestDatabase;
let service: TestApp;

beforeAll(async () => {
  room = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const status = answers.shift() ?? 200;
      if (status === 200) posted.push((JSON.parse(body) as { text: string }).text);
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => room.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(room.address() as AddressInfo).port}/hooks/room`;
  database = await createExampleDatabase();
  service = await startTestApp({}, { database, workers: true, modules: [ChatWebhookModule.forRoot(url)] });
  await service.createUser(...service.login, ['Developer', 'APIOnly', 'APIWrite']);
});
beforeEach(() => {
  answers = [];
  posted = [];
});
afterAll(async () => {
  await service.stop();
  await database.drop();
  await new Promise((resolve) => room.close(resolve));
});

async function addReversedGift(source: string): Promise<number> {
  const { ContributionId } = (await service.add().expect(200)).body as { ContributionId: number };
  await service.reverse(`${ContributionId}/${encodeURIComponent(source)}`).expect(200);
  return ContributionId;
}

it('posts a reversal to the chat room once', async () => {
  const id = await addReversedGift('txt2give');
  await until(() => posted.length > 0);
  await until(async () => (await database.query('SELECT 1 FROM chat_message WHERE posted_at IS NULL')).length === 0);
  const [day] = await database.query<{ day: string }>('SELECT day::text FROM contribution WHERE id = $1', [id]);
  expect(posted).toEqual([
    `USD 10.00 of gift ${id} to General (${day?.day}) was taken back by txt2give. Left: USD 0.00.`,
  ]);
});

it('posts the reversal later if the chat room is unavailable', async () => {
  answers = [503, 500];
  const id = await addReversedGift('away');
  await until(() => posted.length > 0, 20_000);
  expect(posted[0]).toMatch(new RegExp(` of gift ${id} .* by away\\.`));
});

it('escapes mentions of the whole room in a source', async () => {
  await addReversedGift('<!channel>');
  await until(() => posted.length > 0);
  expect(posted[0]).toContain('by &lt;!channel&gt;.');
});

it('does not post a refused reversal', async () => {
  await service.reverse('999999/test').expect(404);
  const id = await addReversedGift('first');
  await service.reverse(`${id}/second`).expect(409);
  await until(() => posted.length > 0);
  const kept = await database.query("SELECT 1 FROM chat_message WHERE text LIKE '%second%'");
  expect(kept).toEqual([]);
});
