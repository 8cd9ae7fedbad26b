import { spawn, type SpawnOptions } from 'node:child_process';
import { dirname } from 'node:path';
import type { ServerUser } from '../data-dir/server-user.js';

/** The exit code and output of a program of PostgreSQL. */
export interface Outcome {
  readonly code: number | null;
  readonly output: string;
}

/**
 * Runs a program of PostgreSQL as the server's user. The program and its children inherit the open file `inherited`.
 * @throws Error with advice, when it cannot be started.
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
    // On Windows the server inherits pg_ctl's pipes, which would stay open while it runs.
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
  // A console of its own, without a window, so that Ctrl-C on the service does not reach the server.
  if (process.platform === 'win32') return { stdio, cwd: dirname(program), windowsHide: true };
  return {
    stdio,
    // The server's user may be unable to enter the service's directory.
    cwd: '/',
    // The shell's locale and PG… variables must not affect the server, and its environment must not contain secrets.
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
    // A process group of its own: Ctrl-C on the service must not reach the server, which is stopped cleanly.
    detached: true,
    // Node requires ids as signed 32-bit numbers.
    ...(user && { uid: user.uid | 0, gid: user.gid | 0 }),
  };
}

function cannotRun(program: string, user: ServerUser | undefined, cause: Error): Error {
  const asUser = user === undefined ? '' : ` as the user ${user.name}`;
  return new Error(
    `PostgreSQL's program ${program} cannot be run here${asUser} (${cause.message}). Common reasons: a system with musl ` +
      'instead of glibc (Alpine), a file system mounted noexec, or a container without the right to change users. Set ' +
      'DATA_DIR to another directory, start the service as an ordinary user, or set DATABASE_URL to a PostgreSQL of your own.',
    { cause },
  );
}
