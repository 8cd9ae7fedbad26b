import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { keepLogsOf, noteSecret } from './kept-logs.js';
import { startOptions } from './start-options.js';

/** The built service in its own process. */
export interface ServiceProcess {
  /** Its URL, such as http://127.0.0.1:40123. */
  readonly url: string;
  readonly pid: number;
  /** Its output so far, on standard output and standard error. */
  output(): string;
  /** Sends the signal and waits for the exit. @returns the exit code, null if the signal itself ended it. */
  readonly end: (signal: 'SIGTERM' | 'SIGINT' | 'SIGUSR2' | 'SIGKILL') => Promise<number | null>;
}

const ROOT = new URL('../../', import.meta.url).pathname;

/** The environment of a program started by a test: only PATH comes from the developer's own environment. */
function environment(variables: Record<string, string>): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: tmpdir(),
    LOG_FORMAT: 'json',
    LOG_LEVEL: 'debug',
    METRICS_PORT: '0',
    ...variables,
  };
}

/** A directory without .env, for all programs that this process starts. */
const EMPTY = mkdtempSync(join(tmpdir(), 'offertory-cwd-'));
/** The started programs, which are killed when the test process exits. */
const started = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of started) child.kill('SIGKILL');
  rmSync(EMPTY, { recursive: true, force: true });
});

/**
 * Starts `dist/src/main.js` on a free port, with the options of `npm run start:prod`, and waits until it is ready.
 * @param root the project directory of another version
 * @param launcher a command that starts the program, such as `unshare`
 */
export async function startServiceProcess(
  variables: Record<string, string>,
  root = ROOT,
  launcher: readonly string[] = [],
): Promise<ServiceProcess> {
  const line = [...launcher, process.execPath, ...startOptions(root), join(root, 'dist/src/main.js')];
  const child = spawn(line[0] ?? '', line.slice(1), {
    cwd: EMPTY,
    env: environment({ PORT: '0', ...variables }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.add(child);
  // The logs of another version are not checked: they can no longer be changed.
  if (root === ROOT) keepLogsOf(child);
  const watched = watch(child);
  const url = await watched.ready;
  const pid = launcher.length === 0 ? Number(child.pid) : onlyChildOf(Number(child.pid));
  return { url, pid, output: watched.output, end: (signal) => end(child, signal, pid) };
}

/** Starts the service with an npm script in the project's directory, as at a shell. */
export function startWithNpm(
  script: string,
  variables: Record<string, string>,
): { ready: Promise<string>; terminate: () => void } {
  const child = spawn('npm', ['run', script], {
    cwd: ROOT,
    env: environment({ PORT: '0', ...variables }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  keepLogsOf(child);
  return { ready: watch(child).ready, terminate: () => child.kill('SIGTERM') };
}

/** Collects the output of a starting service, and finds its URL. */
function watch(child: ChildProcessByStdio<null, Readable, Readable>): { ready: Promise<string>; output: () => string } {
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ready = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const url = /Ready at (http:\/\/[^"\s]+)\/Api/.exec(output)?.[1];
      if (url !== undefined) resolve(url);
    });
    child.once('exit', (code) => {
      reject(new Error(`The service ended with ${code ?? 'a signal'} before it was ready: ${output}`));
    });
  });
  return { ready, output: () => output };
}

function onlyChildOf(launcher: number): number {
  return Number(readFileSync(`/proc/${launcher}/task/${launcher}/children`, 'utf8'));
}

async function end(child: ChildProcess, signal: NodeJS.Signals, pid: number): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const exited = once(child, 'exit');
  process.kill(pid, signal);
  const [code] = (await exited) as [number | null];
  return code;
}

/** The exit code and output of a program. */
export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A started program, which may still run. */
export interface RunningProgram {
  /** Its standard error so far. */
  stderr(): string;
  /** Sends a signal without waiting; see `outcome`. */
  kill(signal: NodeJS.Signals): void;
  readonly outcome: Promise<Outcome>;
}

/** The command line of this version is bundled; that of earlier versions is not. */
function pathOf(program: 'main' | 'cli', root: string): string {
  return program === 'cli' && root === ROOT ? 'dist/command-line/offertory.js' : `dist/src/${program}.js`;
}

/** Starts the service or a command. */
export function startProgram(
  program: 'main' | 'cli',
  args: readonly string[],
  variables: Record<string, string>,
  input = '',
  root = ROOT,
  launcher: readonly string[] = [],
): RunningProgram {
  const line = [...launcher, process.execPath, join(root, pathOf(program, root)), ...args];
  const child = spawn(line[0] ?? '', line.slice(1), {
    cwd: EMPTY,
    env: environment(variables),
  });
  started.add(child);
  // The command line has no log: its output is what was asked for.
  if (program === 'main' && root === ROOT) keepLogsOf(child);
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  child.stdin.end(input);
  const outcome = once(child, 'close').then(([code]) => ({ code: code as number | null, stdout, stderr }));
  return { stderr: () => stderr, kill: (signal) => child.kill(signal), outcome };
}

/** Runs the service or a command to its end. */
export async function runProgram(
  program: 'main' | 'cli',
  args: readonly string[],
  variables: Record<string, string>,
  input = '',
  root = ROOT,
  launcher: readonly string[] = [],
): Promise<Outcome> {
  return await startProgram(program, args, variables, input, root, launcher).outcome;
}

/** Creates the user "api" with the three roles at the command line, as an operator does. */
export async function createApiUser(variables: Record<string, string>, password: string, root = ROOT): Promise<void> {
  noteSecret(password);
  const create = ['user', 'create', 'api', '--roles', 'Developer,APIOnly,APIWrite', '--password-stdin'];
  const { code, stderr } = await runProgram('cli', create, variables, password, root);
  if (code !== 0) throw new Error(`The user could not be created: ${stderr}`);
}
