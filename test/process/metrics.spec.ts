import { get, type IncomingMessage } from 'node:http';
import { createServer } from 'node:net';
import { hostname } from 'node:os';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '../support/free-port.js';
import { scrape } from '../support/scrape.js';
import { runProgram, type ServiceProcess, startServiceProcess } from '../support/service-process.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const start = (variables: Record<string, string>): Promise<ServiceProcess> =>
  startServiceProcess({ DATABASE_URL: database.url, ...variables });

/** The status of GET /metrics with this Host header. */
async function statusFor(port: number, host: string): Promise<number | undefined> {
  const [answer] = (await once(get({ port, path: '/metrics', headers: { host } }), 'response')) as [IncomingMessage];
  answer.resume();
  return answer.statusCode;
}

describe('the service', () => {
  it('serves metrics on METRICS_PORT of the loopback address', async () => {
    const port = await freePort();
    const service = await start({ METRICS_PORT: String(port) });
    try {
      const url = `http://127.0.0.1:${port}/metrics`;
      expect(service.output()).toContain(`Metrics at ${url}`);
      const figures = await scrape(url);
      expect(figures).toHaveProperty('offertory_database_connections{state="most"}', 10);
      const { stdout } = await runProgram('cli', ['--version'], {});
      expect(figures[`offertory_build_info{version="${stdout.trim()}"}`]).toBe(1);
      const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as { info: object };
      expect(document.info).toMatchObject({ version: stdout.trim(), license: { identifier: 'Apache-2.0' } });
      expect((await fetch(`${service.url}/metrics`)).status).toBe(404);
    } finally {
      expect(await service.end('SIGTERM')).toBe(0);
    }
  });

  it('refuses a request for /metrics under a name that is not its own', async () => {
    const port = await freePort();
    const service = await start({ METRICS_PORT: String(port), METRICS_NAMES: 'api, metrics.example.org' });
    try {
      const own = [
        '127.0.0.1',
        'localhost',
        'LOCALHOST',
        '[::1]',
        '192.0.2.7',
        hostname(),
        'api',
        'Metrics.Example.Org',
      ];
      for (const name of own) expect([name, await statusFor(port, `${name}:${port}`)]).toEqual([name, 200]);
      expect(await statusFor(port, 'localhost')).toBe(200);
      const others = ['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example', 'example.org', '', '[evil]'];
      for (const name of others) expect([name, await statusFor(port, `${name}:${port}`)]).toEqual([name, 403]);
    } finally {
      expect(await service.end('SIGTERM')).toBe(0);
    }
  });

  it('serves no metrics with METRICS_PORT=off', async () => {
    const service = await start({ METRICS_PORT: 'off' });
    expect(await service.end('SIGTERM')).toBe(0);
    expect(service.output()).not.toContain('Metrics at');
  });

  it('does not start if METRICS_PORT is in use, and says so', async () => {
    const taken = createServer().listen(await freePort(), '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as { port: number };
    const { code, stderr } = await runProgram('main', [], { DATABASE_URL: database.url, METRICS_PORT: String(port) });
    taken.close();
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/Metrics .*\(EADDRINUSE\).*METRICS_PORT/),
    });
  });

  it('starts without metrics if the default port is in use', async () => {
    const services = [await start({ METRICS_PORT: '' }), await start({ METRICS_PORT: '' })];
    for (const { url } of services) expect((await fetch(`${url}/health/live`)).status).toBe(200);
    for (const service of services) expect(await service.end('SIGTERM')).toBe(0);
    expect(services[1]?.output()).toContain('Metrics cannot be served at 127.0.0.1, port 9464 (EADDRINUSE)');
  });
});
