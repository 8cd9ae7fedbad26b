import { chmodSync, mkdirSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { syncDirectory } from '../../durable-files/index.js';
import { createOwnAccount } from './own-account.js';
import { blockingDirectory, defaultDataDir, serverUser, type ServerUser, SYSTEM_DATA_DIR } from './server-user.js';

/** The data directory: the paths in it, and the user who owns them. */
export interface DataDir {
  /** The real path, without symbolic links. */
  readonly path: string;
  readonly cluster: string;
  readonly logFile: string;
  /** Runs PostgreSQL's programs. Undefined: the user of this process. */
  readonly user: ServerUser | undefined;
}

/** Creates the data directory if it is missing. @throws Error when PostgreSQL's user could not use it. */
export async function enterDataDir(configured: string, log: (message: string) => void): Promise<DataDir> {
  let user = serverUser(configured);
  if (user !== undefined) refuseBlocked(configured, user);
  if (user?.name === 'nobody') {
    await createOwnAccount(log);
    user = serverUser(configured);
  }
  await create(configured, user);
  const path = realpathSync(configured);
  refuseUnquotable(path);
  // The default was chosen before there was a log, so it is logged here.
  if (path === SYSTEM_DATA_DIR && defaultDataDir(process.cwd()) === path) {
    log(
      `Data is kept in ${path}: PostgreSQL does not run as root, and the user ${user?.name ?? 'nobody'} it runs as ` +
        `cannot enter ${process.cwd()}. Set DATA_DIR to choose another directory.`,
    );
  }
  return { path, cluster: join(path, 'database'), logFile: join(path, 'log', 'postgresql.log'), user };
}

function refuseBlocked(configured: string, user: ServerUser): void {
  const blocking = blockingDirectory(configured, user);
  if (blocking === undefined) return;
  throw new Error(
    `PostgreSQL does not run as root, and the user ${user.name} it would run as cannot enter ${blocking}, ` +
      `which is on the way to DATA_DIR (${resolve(configured)}). Start the service as an ordinary user, ` +
      `or set DATA_DIR to a directory that others may enter, such as ${SYSTEM_DATA_DIR}, or allow it: chmod o+x '${blocking}'.`,
  );
}

async function create(configured: string, user: ServerUser | undefined): Promise<void> {
  const first = mkdirSync(configured, { recursive: true, mode: user === undefined ? 0o700 : 0o755 });
  if (first === undefined) return;
  for (let directory = resolve(configured); ; directory = dirname(directory)) {
    // With a strict umask PostgreSQL's user could not enter the new directory.
    if (user !== undefined) chmodSync(directory, 0o755);
    await syncDirectory(dirname(directory));
    if (directory === resolve(first) || directory === dirname(directory)) return;
  }
}

/** pg_ctl and initdb put paths in double quotes on a shell's command line without escaping them. */
function refuseUnquotable(path: string): void {
  const unquotable = process.platform === 'win32' ? /["%\r\n]/ : /["$`\\\r\n]/;
  if (!unquotable.test(path)) return;
  throw new Error(
    `The embedded PostgreSQL cannot use DATA_DIR ${JSON.stringify(path)}: its start program does not support the ` +
      'characters " $ ` \\ % and line breaks in a path. Set DATA_DIR to a path without them.',
  );
}
