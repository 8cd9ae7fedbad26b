import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client } from '../support/client.js';
import { freePort } from '../support/free-port.js';
import { scrape } from '../support/scrape.js';
import { createApiUser, runProgram, type ServiceProcess, startServiceProcess } from '../support/service-process.js';
import { gift } from '../support/test-app.js';

/** Two churches on one machine without containers, each with the embedded database: docs/several-churches.md. */
const CHURCHES = [
  { name: 'grace', currency: 'USD', password: 'the password at grace' },
  { name: 'hope', currency: 'NZD', password: 'another password at hope' },
] as const;

let directory: string;
const variables = new Map<string, Record<string, string>>();
const services = new Map<string, ServiceProcess>();

function of<Value>(map: ReadonlyMap<string, Value>, name: string): Value {
  const value = map.get(name);
  if (value === undefined) throw new Error(`There is no ${name}`);
  return value;
}

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'offertory-churches-'));
  chmodSync(directory, 0o755);
  for (const { name, currency, password } of CHURCHES) {
    const [PORT, METRICS_PORT] = [String(await freePort()), String(await freePort())];
    const settings = { DATA_DIR: join(directory, name), CHURCH_CURRENCY: currency, PORT, METRICS_PORT };
    variables.set(name, settings);
    await createApiUser(settings, password);
    services.set(name, await startServiceProcess(settings));
  }
}, 180_000);
afterAll(async () => {
  for (const service of services.values()) expect(await service.end('SIGTERM')).toBe(0);
  rmSync(directory, { recursive: true, force: true });
});

it('two churches record gifts side by side, each in its own books', async () => {
  for (const { name, currency, password } of CHURCHES) {
    const client = new Client(of(services, name).url, 'api', password);
    const { status, body } = await client.add(gift(name), 'the same key');
    // Both books begin with the first id.
    expect([status, body['ContributionId']]).toEqual([200, 1]);
    const recorded = await client.read(1);
    expect(recorded.body).toMatchObject({ currency });
    expect(JSON.stringify(recorded.body)).toContain(`ann.${name}@example.org`);
    for (const other of CHURCHES.filter((church) => church.name !== name)) {
      const across = new Client(of(services, other.name).url, 'api', password);
      expect(await across.add(gift('across'))).toMatchObject({ status: 401 });
    }
  }
});

it('each church has metrics of its own at its METRICS_PORT', async () => {
  for (const { name, currency } of CHURCHES) {
    const figures = await scrape(`http://127.0.0.1:${of(variables, name)['METRICS_PORT'] ?? ''}/metrics`);
    const currencies = Object.keys(figures).flatMap(
      (figure) => /gift_amount_total\{.*currency="(\w+)"/.exec(figure)?.[1] ?? [],
    );
    expect(new Set(currencies)).toEqual(new Set([currency]));
  }
});

it('a church with the port of another one does not start, and the other one goes on', async () => {
  const [grace, hope] = CHURCHES;
  const mistaken = { ...of(variables, hope.name), PORT: of(variables, grace.name)['PORT'] ?? '', METRICS_PORT: '0' };
  expect(await runProgram('main', [], mistaken)).toMatchObject({ code: 1, stderr: expect.stringMatching(/in use/) });
  for (const { name, password } of CHURCHES)
    expect(await new Client(of(services, name).url, 'api', password).read(1)).toMatchObject({ status: 200 });
});
