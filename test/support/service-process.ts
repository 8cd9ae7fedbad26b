import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The built program in a process of its own. */
export interface ServiceProcess {
  /** Where it listens: http://127.0.0.1:40123 */
  readonly url: string;
  readonly pid: number;
  /** All of its standard output so far. */
  output(): string;
  /** Sends the signal and waits for the end. @returns the exit code, null when the signal itself ended it. */
  end(signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL'): Promise<number | null>;
}

const ROOT = new URL('../../', import.meta.url).pathname;

/** What a program started by a test is given: nothing of the developer's own environment but the path. */
function environment(variables: Record<string, string>): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '', HOME: tmpdir(), LOG_FORMAT: 'json', ...variables };
}

/** A directory in which no .env lies. */
function workingDirectory(): string {
  return mkdtempSync(join(tmpdir(), 'offertory-cwd-'));
}

/** Starts `dist/src/main.js` on a free port and waits until it is ready. */
export async function startServiceProcess(variables: Record<string, string>): Promise<ServiceProcess> {
  const child = spawn(process.execPath, [join(ROOT, 'dist/src/main.js')], {
    cwd: workingDirectory(),
    env: environment({ PORT: '0', ...variables }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', () => {
      const ready = /Ready at (http:\/\/[^"\s]+)\/Api/.exec(output);
      if (ready?.[1] !== undefined) resolve(ready[1]);
    });
    child.once('exit', (code) => {
      reject(new Error(`The service ended with ${code ?? 'a signal'} before it was ready: ${errors}${output}`));
    });
  });
  return { url, pid: child.pid ?? 0, output: () => output + errors, end: (signal) => end(child, signal) };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const exited = once(child, 'exit');
  child.kill(signal);
  const [code] = (await exited) as [number | null];
  return code;
}

/** How a program ended. */
export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `dist/src/<program>.js` to its end. */
export async function runProgram(
  program: 'main' | 'cli',
  args: readonly string[],
  variables: Record<string, string>,
  input = '',
): Promise<Outcome> {
  const child = spawn(process.execPath, [join(ROOT, `dist/src/${program}.js`), ...args], {
    cwd: workingDirectory(),
    env: environment(variables),
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  child.stdin.end(input);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}
