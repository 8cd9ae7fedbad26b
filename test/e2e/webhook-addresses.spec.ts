import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { WebhookCalls } from './webhook-calls.js';

let service: TestApp;
let calls: WebhookCalls;
let stranger: Server;
let connections = 0;

beforeAll(async () => {
  // On all addresses of this machine, IPv6 included.
  stranger = createServer((socket) => {
    connections++;
    socket.destroy();
  });
  await new Promise<void>((resolve) => stranger.listen(0, resolve));
  service = await startTestApp({}, { workers: true });
  calls = new WebhookCalls(service, await service.createUser('treasurer', 'some long password', ['Finance']));
});
afterAll(async () => {
  await service.stop();
  await new Promise((resolve) => stranger.close(resolve));
});

describe('without WEBHOOK_ALLOW_PRIVATE', () => {
  it.each([
    ['a host name that resolves to 127.0.0.1', 'localhost'],
    ['127.0.0.1', '127.0.0.1'],
    ['127.0.0.1 as one number', '2130706433'],
    ['127.0.0.1 in hexadecimal', '0x7f.1'],
    ['127.0.0.1 in octal', '0177.0.0.1'],
    ['the unspecified address', '0.0.0.0'],
    ['the IPv6 loopback address', '[::1]'],
    ['127.0.0.1 as an IPv6 address', '[::ffff:127.0.0.1]'],
    ['127.0.0.1 by NAT64', '[64:ff9b::7f00:1]'],
  ])('nothing connects to %s', async (_what, host) => {
    const { port } = stranger.address() as AddressInfo;
    const { id } = await calls.create(`https://${host}:${port}/`, ['bundle.closed']);
    expect(await calls.test(id)).toMatchObject({
      status: 'failed',
      lastStatus: null,
      lastError: 'The address is private or not of the internet, which needs WEBHOOK_ALLOW_PRIVATE=1.',
    });
    expect(connections).toBe(0);
    await calls.post(`Webhooks/${id}/disable`).expect(200);
  });

  it('http is refused, and is not used by a webhook that was created before', async () => {
    const sent = { Url: 'http://example.org/', Events: ['bundle.closed'] };
    const answer = await calls.post('Webhooks', sent).expect(400);
    expect((answer.body as { errors: object[] }).errors).toEqual([
      { field: 'Url', message: 'must begin with https://' },
    ]);
    const { port } = stranger.address() as AddressInfo;
    const { id } = await calls.create('https://example.org/', ['bundle.closed']);
    await service.database.query('UPDATE webhook_endpoint SET url = $2 WHERE id = $1', [
      id,
      `http://127.0.0.1:${port}/`,
    ]);
    expect(await calls.test(id)).toMatchObject({
      status: 'failed',
      lastError: 'The URL begins with http://, which needs WEBHOOK_ALLOW_PRIVATE=1.',
    });
    expect(connections).toBe(0);
  });
});
