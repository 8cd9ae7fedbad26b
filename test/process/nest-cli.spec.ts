import { type ChildProcessByStdio, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chmodSync, cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startServiceProcess } from '../support/service-process.js';
import { until } from '../support/until.js';

const ROOT = new URL('../../', import.meta.url).pathname;
/** The files that the build reads. */
const SOURCES = ['package.json', 'nest-cli.json', 'tsconfig.json', 'tsconfig.build.json', 'src', 'migrations', 'docs'];
/** Nest compiles all sources first: 10 s on an idle machine, more than a minute on one that runs other test files. */
const LONGEST_START_MS = 240_000;
/** The goal is 3 s on an idle machine; this one may run other test files. */
const LONGEST_RELOAD_MS = 60_000;

/** A copy of the project in which files can be changed. */
let project: string;
/** Shared by the tests: start:dev must find the database that the first test created. */
let environment: Record<string, string>;

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'offertory-nest-'));
  // PostgreSQL does not run as root, and its user needs access.
  chmodSync(project, 0o755);
  for (const path of SOURCES) cpSync(join(ROOT, path), join(project, path), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(project, 'node_modules'));
  environment = { DATA_DIR: join(project, 'data'), CHURCH_TIME_ZONE: 'America/Chicago' };
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

async function statusOf(url: string): Promise<number> {
  return (await fetch(url)).status;
}

it('nest build creates an application that starts, with its templates and pages', async () => {
  execFileSync('npx', ['nest', 'build'], { cwd: project, stdio: ['ignore', 'ignore', 'inherit'] });
  const service = await startServiceProcess(environment, project);
  try {
    expect(await statusOf(`${service.url}/health/live`)).toBe(200);
    expect(await statusOf(`${service.url}/docs`)).toBe(200);
    expect(await statusOf(`${service.url}/guides/integrating`)).toBe(200);
  } finally {
    expect(await service.end('SIGTERM')).toBe(0);
  }
});

describe('npm run start:dev', () => {
  let npm: ChildProcessByStdio<null, Readable, Readable>;
  let output = '';
  beforeAll(() => {
    npm = spawn('npm', ['run', 'start:dev'], {
      cwd: project,
      env: { PATH: process.env['PATH'] ?? '', HOME: tmpdir(), PORT: '0', METRICS_PORT: '0', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A process group of its own, as at a terminal.
      detached: true,
    });
    for (const stream of [npm.stdout, npm.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  });
  afterAll(() => {
    if (npm.exitCode === null && npm.signalCode === null) signalGroup('SIGKILL');
  });

  /** Signals npm, its shell, Nest's watcher and the service. */
  function signalGroup(signal: NodeJS.Signals): void {
    process.kill(-Number(npm.pid), signal);
  }

  /** The URL of the service for each start. */
  function readyAt(): string[] {
    return [...output.matchAll(/Ready at (http:\/\/[^"\s]+)\/Api/g)].map(([, url = '']) => url);
  }

  it('starts on the existing database, and restarts within seconds after a file is saved', async () => {
    await until(() => readyAt().length === 1, LONGEST_START_MS);
    expect(await statusOf(`${readyAt()[0] ?? ''}/health/live`)).toBe(200);

    const begin = performance.now();
    appendFileSync(join(project, 'src/version.ts'), '// saved\n');
    await until(() => readyAt().length === 2, LONGEST_RELOAD_MS);
    const seconds = ((performance.now() - begin) / 1000).toFixed(1);
    process.stderr.write(`npm run start:dev: ready ${seconds} s after a file was saved\n`);

    expect(await statusOf(`${readyAt()[1] ?? ''}/health/live`)).toBe(200);
    expect(output).not.toContain('creating a new database');
  }, 360_000);

  it('stops the service and its database in order on Ctrl+C', async () => {
    const stopped = (): number => output.split('Stopped PostgreSQL').length - 1;
    expect(stopped()).toBe(1);
    const ended = once(npm, 'close');
    signalGroup('SIGINT');
    await ended;
    expect(stopped()).toBe(2);
  });
});
