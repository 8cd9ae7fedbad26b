import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import ts from 'typescript';
import { startOptions } from '../test/support/start-options.js';
import { peakMb } from './process-figures.js';

/** A program that answers over HTTP. */
export interface Program {
  /** Where it listens: http://127.0.0.1:40123 */
  readonly url: string;
  readonly pid: number;
  /** From its start until it was ready, in milliseconds, accurate to about 10. */
  readonly startMs: number;
  stop(): Promise<void>;
}

const ROOT = new URL('../', import.meta.url).pathname;
const START_LIMIT_MS = 3_600_000;

/** The running programs, which are killed when the bench ends. */
const started = new Set<ChildProcess>();
const directory = mkdtempSync(join(tmpdir(), 'offertory-bench-'));
process.once('exit', () => {
  for (const child of started) child.kill('SIGKILL');
  rmSync(directory, { recursive: true, force: true });
});

/** Creates a directory that is removed when the bench ends. */
export function temporaryDirectory(): string {
  return mkdtempSync(join(directory, 'd-'));
}

/**
 * The settings of the service: its defaults, without variables of the shell except the path. Without a recipient of
 * notices, the worker has a job for each reversal but no mail to send.
 */
const SERVICE_SETTINGS = {
  CHURCH_TIME_ZONE: 'America/Chicago',
  LOG_FORMAT: 'json',
  METRICS_PORT: '0',
  PORT: '0',
} as const;

/** The options of `npm start` and of the container. The hand-written program gets them too, so only the code differs. */
const OPTIONS = startOptions(ROOT);

/** Starts the built service. @throws Error with its output if it ends before it is ready. */
export function startService(variables: Readonly<Record<string, string>>): Promise<Program> {
  return start([...OPTIONS, join(ROOT, 'dist/src/main.js')], { ...SERVICE_SETTINGS, ...variables });
}

/** Starts the hand-written program, bare.ts. It is compiled first, because tsx would add to its memory. */
export function startBare(databaseUrl: string): Promise<Program> {
  // A directory in which Node finds the packages and which git ignores.
  const compiled = join(ROOT, 'dist/bench');
  mkdirSync(compiled, { recursive: true });
  for (const name of ['bare', 'bare-statements']) {
    const source = readFileSync(join(ROOT, `bench/${name}.ts`), 'utf8');
    const { outputText } = ts.transpileModule(source, {
      compilerOptions: { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext },
    });
    writeFileSync(join(compiled, `${name}.js`), outputText);
  }
  return start([...OPTIONS, join(compiled, 'bare.js')], { DATABASE_URL: databaseUrl });
}

async function start(args: readonly string[], variables: Readonly<Record<string, string>>): Promise<Program> {
  const begin = performance.now();
  const log = join(temporaryDirectory(), 'log');
  const child = spawnInto(log, args, variables);
  for (;;) {
    // Read before the check below, so that the error contains the last output.
    const output = readFileSync(log, 'utf8');
    const url = /Ready at (http:\/\/[^"\s]+?)\/Api/.exec(output)?.[1];
    const startMs = performance.now() - begin;
    if (url !== undefined) return { url, pid: Number(child.pid), startMs, stop: () => stop(child) };
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`${args.join(' ')} ended before it was ready:\n${output}`);
    if (startMs > START_LIMIT_MS) throw new Error(`${args.join(' ')} is not ready after ${START_LIMIT_MS / 1_000} s`);
    await sleep(5);
  }
}

/** The result of a command. */
export interface CommandOutcome {
  readonly output: string;
  readonly milliseconds: number;
  /** The most memory of its process in MB, read every 50 ms; undefined if the system does not report it. */
  readonly peakMb: number | undefined;
}

const MEMORY_EVERY_MS = 50;

/** Runs `offertory <args>` to its end. @throws Error with its output if it fails. */
export async function runCommand(
  args: readonly string[],
  variables: Readonly<Record<string, string>>,
  input = '',
): Promise<CommandOutcome> {
  return await runToEnd(process.execPath, [join(ROOT, 'dist/command-line/offertory.js'), ...args], variables, input);
}

/** Runs a program to its end. @throws Error with its output if it fails. */
export async function runToEnd(
  program: string,
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
  input = '',
): Promise<CommandOutcome> {
  const begin = performance.now();
  const child = spawn(program, args, { cwd: directory, env: environment(variables) });
  started.add(child);
  let peak: number | undefined;
  const reading = setInterval(() => (peak = peakMb(Number(child.pid)) ?? peak), MEMORY_EVERY_MS);
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stdin.end(input);
  const [code] = (await once(child, 'close').finally(() => clearInterval(reading))) as [number | null];
  started.delete(child);
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code ?? 'a signal'}:\n${output}`);
  return { output, milliseconds: performance.now() - begin, peakMb: peak };
}

function spawnInto(log: string, args: readonly string[], variables: Readonly<Record<string, string>>): ChildProcess {
  const file = openSync(log, 'a');
  try {
    const child = spawn(process.execPath, args, {
      cwd: directory,
      env: environment(variables),
      stdio: ['ignore', file, file],
    });
    started.add(child);
    return child;
  } finally {
    closeSync(file);
  }
}

function environment(variables: Readonly<Record<string, string>>): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '', HOME: directory, ...variables };
}

async function stop(child: ChildProcess): Promise<void> {
  started.delete(child);
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}
