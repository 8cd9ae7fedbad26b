import { type AddressInfo, createServer, type Server, Socket } from 'node:net';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { addedGift } from '../contract/gift-requests.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';

/** Servers that note a visit and hang up. */
const servers: Server[] = [];
const visited = new Set<Server>();
let mailServer: Server;
let stranger: Server;
let service: TestApp;

beforeAll(async () => {
  [mailServer, stranger] = [await startServer(), await startServer()];
  service = await startTestApp(
    { SMTP_URL: `smtp://127.0.0.1:${portOf(mailServer)}`, FINANCE_EMAILS: 'office@example.org' },
    { workers: true },
  );
});
afterAll(async () => {
  jest.restoreAllMocks();
  await service.stop();
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
});

async function startServer(): Promise<Server> {
  const server = createServer((socket) => {
    visited.add(server);
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  servers.push(server);
  return server;
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

/** The port or the socket path of a call of `connect`, which takes several forms of arguments. */
function destination([first]: readonly unknown[]): string {
  const target: unknown = Array.isArray(first) ? first[0] : first;
  const { port, path } = typeof target === 'object' ? (target as { port?: unknown; path?: unknown }) : { port: target };
  return String(path ?? port);
}

it('the service connects only to its database and its mail server, whatever URLs a gift contains', async () => {
  const connect = jest.spyOn(Socket.prototype, 'connect');
  const url = `http://127.0.0.1:${portOf(stranger)}/x.png`;
  const texts = { First: url, Last: `<img src="${url}">`, Address: url, Notes: url, Source: '//127.0.0.1/share' };
  const { ContributionId } = await addedGift(service, texts);
  await service
    .reverse(`${ContributionId}/${encodeURIComponent(url)}`)
    .set('Referer', url)
    .expect(200);
  await until(async () => (await service.database.query('SELECT FROM delivery WHERE attempts > 0')).length === 1);

  const called = String(portOf(service.app.getHttpServer()));
  const places = new Set(connect.mock.calls.map(destination).filter((place) => place !== called));
  const { port } = new URL(service.database.url);
  expect([...places].filter((place) => !place.endsWith(port))).toEqual([String(portOf(mailServer))]);
  expect([...visited]).toEqual([mailServer]);
});
