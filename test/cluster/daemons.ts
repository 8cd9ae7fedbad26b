import { type ChildProcess, spawn } from 'node:child_process';
import { chownSync, closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { until } from '../support/until.js';

/** If the tests run as root, the programs of the cluster run as the user nobody, because PostgreSQL refuses root. */
export const NOBODY = process.geteuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** The ids of processes to kill when this process exits, whatever happens. */
const running = new Map<ChildProcess, () => readonly number[]>();
process.once('exit', () => {
  for (const pids of running.values()) for (const pid of pids()) kill(pid, 'SIGKILL');
});

/** A program of the cluster that runs until it is killed. */
export interface Daemon {
  readonly pid: number;
  /** Sends SIGKILL, or another signal that ends it, and waits for its end. */
  end(signal?: NodeJS.Signals): Promise<void>;
}

/**
 * Starts a program in the background.
 * @param log the file for its output. @param others finds more processes to kill when this process exits.
 */
export function startDaemon(
  program: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  log: string,
  others: () => readonly number[] = () => [],
): Daemon {
  const output = openSync(log, 'a');
  const child = spawn(program, args, {
    ...NOBODY,
    cwd: '/',
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', ...environment },
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  const pid = child.pid;
  if (pid === undefined) throw new Error(`${program} could not be started`);
  running.set(child, () => [pid, ...others()]);
  return {
    pid,
    end: async (signal = 'SIGKILL') => {
      kill(pid, signal);
      await until(() => child.exitCode !== null || child.signalCode !== null);
      running.delete(child);
    },
  };
}

/** Sends a signal, unless the process has ended. */
export function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** The children of a process; none if it has ended. */
export function childrenOf(pid: number): readonly number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

/** Makes a directory that only the user of the programs may enter. */
export function makeOwnDirectory(path: string): string {
  mkdirSync(path, { mode: 0o700 });
  if (NOBODY.uid !== undefined) chownSync(path, NOBODY.uid, NOBODY.gid);
  return path;
}
