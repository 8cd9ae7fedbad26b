import { readFileSync, realpathSync, type Stats, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** The user who runs PostgreSQL's programs, if it differs from the user of this process. */
export interface ServerUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** The default data directory when root starts the service in a directory that other users cannot enter. */
export const SYSTEM_DATA_DIR = '/var/lib/offertory';

/** The system account that runs PostgreSQL's programs for root, and nothing else. */
export const OWN_ACCOUNT = 'offertory-db';

/**
 * PostgreSQL refuses to run as root, so root runs its programs as the owner of the cluster, or as {@link OWN_ACCOUNT}, or
 * as nobody if there is no such account. Undefined for other users and on Windows: the programs run as the user of this
 * process.
 * @param accounts the lines of /etc/passwd
 */
export function serverUser(
  dataDir: string,
  uid = process.geteuid?.(),
  accounts = readAccounts(),
): ServerUser | undefined {
  if (uid !== 0) return undefined;
  const cluster = statSync(join(dataDir, 'database'), { throwIfNoEntry: false });
  const nobody = accountIn(accounts, 'nobody') ?? { name: 'nobody', uid: 65_534, gid: 65_534 };
  // A cluster of an ordinary user keeps its owner, so that this user can start it again after root did.
  if (cluster !== undefined && cluster.uid !== 0 && !(cluster.uid === nobody.uid && isRoots(dataDir))) {
    return { name: `with uid ${cluster.uid}`, uid: cluster.uid, gid: cluster.gid };
  }
  return accountIn(accounts, OWN_ACCOUNT) ?? nobody;
}

/** Whether root has created the data directory. An earlier version then gave the cluster to nobody. */
function isRoots(dataDir: string): boolean {
  return statSync(dataDir).uid === 0;
}

/** The first existing directory on the way to `path` that this user cannot enter; undefined if there is none. */
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
 * The default data directory: `data` in `cwd`. For root it is /var/lib/offertory if PostgreSQL's user cannot enter
 * that, for example in a private home directory.
 */
export function defaultDataDir(cwd: string, uid = process.geteuid?.()): string {
  const local = resolve(cwd, 'data');
  const user = serverUser(local, uid);
  return user !== undefined && blockingDirectory(local, user) !== undefined ? SYSTEM_DATA_DIR : local;
}

function accountIn(accounts: string, name: string): ServerUser | undefined {
  const line = new RegExp(`^${name}:[^:]*:(-?\\d+):(-?\\d+):`, 'm').exec(accounts);
  if (line === null) return undefined;
  // macOS has the signed id -2 in the file, but the file system shows it as unsigned.
  return { name, uid: Number(line[1]) >>> 0, gid: Number(line[2]) >>> 0 };
}

function readAccounts(): string {
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
