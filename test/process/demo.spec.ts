import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '../support/free-port.js';
import { noteSecret } from '../support/kept-logs.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { until } from '../support/until.js';

const ROOT = new URL('../../', import.meta.url).pathname;

interface RunningDemo {
  readonly child: ChildProcess;
  output(): string;
}

let database: TestDatabase;
let port: number;
let demo: RunningDemo;

function startDemo(): RunningDemo {
  const line = [`${ROOT}node_modules/tsx/dist/cli.mjs`, `${ROOT}demo/run.ts`];
  const options = ['--port', String(port), '--database', database.url, '--directory', `${tmpdir()}/offertory-no-demo`];
  const child = spawn(process.execPath, [...line, ...options], {
    cwd: tmpdir(),
    env: { PATH: process.env['PATH'], DATABASE_URL: 'postgres://nowhere.invalid/production' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const collect = (chunk: Buffer): void => void (output += chunk.toString());
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  return { child, output: () => output };
}

beforeAll(async () => {
  database = await createTestDatabase();
  port = await freePort();
  demo = startDemo();
  await until(() => demo.output().includes('The church is ready') || demo.child.exitCode !== null, 350_000);
}, 360_000);
afterAll(async () => {
  if (demo.child.exitCode === null) demo.child.kill('SIGKILL');
  await database.drop();
});

function passwordOf(user: string): string {
  const password = new RegExp(`^ {2}${user} +(\\S+)`, 'm').exec(demo.output())?.[1] ?? '';
  noteSecret(password);
  return password;
}

async function count(sql: string): Promise<number> {
  const [row] = await database.query<{ count: number }>(`SELECT count(*)::integer AS count FROM ${sql}`);
  return row?.count ?? 0;
}

// Each test continues from the one before.
describe('npm run demo', () => {
  it('shows its progress, and prints where the console is', () => {
    expect(demo.output()).toContain('50 %');
    expect(demo.output()).toContain(`The church is ready: http://127.0.0.1:${port}/console`);
  });

  it.each(['treasurer', 'auditor'])('lets the %s log in', async (username) => {
    const console = `http://127.0.0.1:${port}/console`;
    const answer = await fetch(`${console}/login`, {
      method: 'POST',
      redirect: 'manual',
      headers: { Origin: `http://127.0.0.1:${port}` },
      body: new URLSearchParams({ username, password: passwordOf(username) }),
    });
    expect(answer.status).toBe(303);
    const cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const home = await fetch(console, { headers: { Cookie: cookie } });
    expect([home.status, await home.text()]).toEqual([
      200,
      expect.stringContaining('bundles open for more than 3 days'),
    ]);
  });

  it('has people, two years of gifts of each kind, reversals, reviews, bundles and notices', async () => {
    expect(await count('person')).toBeGreaterThanOrEqual(300);
    expect(await count('contribution')).toBeGreaterThan(8_000);
    expect(await count(`(SELECT DISTINCT date_trunc('month', day) FROM contribution) AS month`)).toBeGreaterThanOrEqual(
      24,
    );
    expect(await count(`contribution WHERE amount < 0 AND reverses_id IS NOT NULL`)).toBeGreaterThan(40);
    expect(await count('review WHERE accepted_at IS NULL')).toBeGreaterThanOrEqual(3);
    expect(await count('bundle WHERE status = 0')).toBeGreaterThan(200);
    expect(await count('bundle WHERE status = 1')).toBeGreaterThanOrEqual(3);
    await until(async () => (await count(`delivery WHERE status = 'failed'`)) > 0);
    expect(await count(`delivery WHERE status = 'sent'`)).toBeGreaterThan(40);
    expect(await count(`audit_entry WHERE action LIKE 'database.%-change'`)).toBe(0);
  });

  it('ends in order, and refuses a database that has gifts', async () => {
    const before = await count('contribution');
    demo.child.kill('SIGTERM');
    expect(await once(demo.child, 'exit')).toEqual([0, null]);
    demo = startDemo();
    expect(await once(demo.child, 'exit')).toEqual([2, null]);
    expect(demo.output()).toContain('already has gifts');
    expect(await count('contribution')).toBe(before);
  });
});
