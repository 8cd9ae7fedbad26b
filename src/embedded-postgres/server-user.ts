import { readFileSync, realpathSync, type Stats, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** Whom PostgreSQL's programs run as when that is not ourselves. */
export interface ServerUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** Where the data goes when root starts the service in a place that other users cannot enter. */
export const SYSTEM_DATA_DIR = '/var/lib/offertory';

/**
 * PostgreSQL refuses to run as root, so root lends its programs to the user who already owns the cluster, or to nobody.
 * Undefined for everybody else, and on Windows: the programs run as we do.
 */
export function serverUser(dataDir: string, uid = process.geteuid?.()): ServerUser | undefined {
  if (uid !== 0) return undefined;
  const cluster = statSync(join(dataDir, 'database'), { throwIfNoEntry: false });
  // A cluster made by an ordinary user stays his, so that he can start it again after root did.
  if (cluster !== undefined && cluster.uid !== 0) {
    return { name: `with uid ${cluster.uid}`, uid: cluster.uid, gid: cluster.gid };
  }
  return nobody();
}

/** The first directory on the way to `path` that this user cannot pass; what does not exist yet blocks nobody. */
export function blockingDirectory(path: string, user: ServerUser): string | undefined {
  let directory = nearestExisting(path);
  let blocking: string | undefined;
  for (;;) {
    if (!mayEnter(statSync(directory), user)) blocking = directory;
    if (directory === dirname(directory)) return blocking;
    directory = dirname(directory);
  }
}

/**
 * The directory for the data when none is configured: `data` under `cwd`, or as root, when PostgreSQL's user
 * cannot get there (a checkout in a private home), /var/lib/offertory.
 */
export function defaultDataDir(cwd: string, uid = process.geteuid?.()): string {
  const local = resolve(cwd, 'data');
  const user = serverUser(local, uid);
  return user !== undefined && blockingDirectory(local, user) !== undefined ? SYSTEM_DATA_DIR : local;
}

function nobody(): ServerUser {
  const line = /^nobody:[^:]*:(-?\d+):(-?\d+):/m.exec(passwd());
  // macOS writes nobody's -2 as signed, the file system shows it as unsigned.
  return { name: 'nobody', uid: Number(line?.[1] ?? 65_534) >>> 0, gid: Number(line?.[2] ?? 65_534) >>> 0 };
}

function passwd(): string {
  try {
    return readFileSync('/etc/passwd', 'utf8');
  } catch {
    return '';
  }
}

function nearestExisting(path: string): string {
  for (let directory = resolve(path); ; directory = dirname(directory)) {
    if (statSync(directory, { throwIfNoEntry: false }) !== undefined) return realpathSync(directory);
  }
}

function mayEnter(directory: Stats, user: ServerUser): boolean {
  if (directory.uid === user.uid) return (directory.mode & 0o100) !== 0;
  if (directory.gid === user.gid) return (directory.mode & 0o010) !== 0;
  return (directory.mode & 0o001) !== 0;
}
