import { spawn, type SpawnOptions } from 'node:child_process';
import { dirname } from 'node:path';
import type { ServerUser } from './server-user.js';

/** How a program of PostgreSQL ended, and what it wrote. */
export interface Outcome {
  readonly code: number | null;
  readonly output: string;
}

/**
 * Runs a program of PostgreSQL as the server's user; throws only when it cannot be started at all. The program and
 * whatever it starts inherit the open file `inherited`.
 */
export async function runProgram(
  program: string,
  args: readonly string[],
  user: ServerUser | undefined,
  inherited?: number,
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, spawnOptions(program, user, inherited));
    let output = '';
    const collect = (chunk: Buffer): void => {
      output += chunk.toString();
    };
    child.stdout?.on('data', collect);
    child.stderr?.on('data', collect);
    child.once('error', (error) => {
      reject(cannotRun(program, user, error));
    });
    child.once('close', (code) => {
      resolve({ code, output: output.trim() });
    });
    // On Windows the server inherits pg_ctl's pipes, which would stay open as long as it runs.
    child.once('exit', () => {
      setTimeout(() => {
        child.stdout?.destroy();
        child.stderr?.destroy();
      }, 500).unref();
    });
  });
}

function spawnOptions(program: string, user: ServerUser | undefined, inherited?: number): SpawnOptions {
  const stdio: SpawnOptions['stdio'] = ['ignore', 'pipe', 'pipe', ...(inherited === undefined ? [] : [inherited])];
  // A console of its own, without a window: Ctrl-C on the service then does not reach the server.
  if (process.platform === 'win32') return { stdio, cwd: dirname(program), windowsHide: true };
  return {
    stdio,
    // The service's directory may be closed to the server's user.
    cwd: '/',
    // The shell's language and PG… variables must not shape the server, nor the service's secrets show in its environment.
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
    // Out of our process group: Ctrl-C on the service stops the server in order, not by a signal of its own.
    detached: true,
    // Node wants ids as signed 32-bit numbers here.
    ...(user && { uid: user.uid | 0, gid: user.gid | 0 }),
  };
}

function cannotRun(program: string, user: ServerUser | undefined, cause: Error): Error {
  const whom = user === undefined ? '' : ` as the user ${user.name}`;
  return new Error(
    `PostgreSQL's program ${program} cannot be run here${whom} (${cause.message}). Common reasons: a system with musl ` +
      'instead of glibc (Alpine), a file system mounted noexec, or a container without the right to change users. ' +
      'Set DATA_DIR to another place, start the service as an ordinary user, or set DATABASE_URL to a PostgreSQL of your own.',
    { cause },
  );
}
