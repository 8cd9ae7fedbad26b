import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { lchown, lstat, open, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { renameDurably } from '../../durable-files/index.js';
import { prepareDirectory } from '../data-dir/atomic-directory.js';
import type { DataDir } from '../data-dir/data-dir.js';
import { socketDirectoryPath } from '../data-dir/private-directory.js';
import { runProgram } from '../programs/run-program.js';
import type { ServerUser } from '../data-dir/server-user.js';
import { SETTINGS_FILE } from './settings.js';

const PASSWORD_FILE = 'offertory.password';

/** Changes nothing. @throws Error when there is a cluster that this PostgreSQL or user cannot run. */
export async function checkCluster(dataDir: DataDir, major: string): Promise<void> {
  const { cluster, user } = dataDir;
  const owner = await ownerOf(cluster);
  if (owner === undefined) return;
  if (user === undefined && process.platform !== 'win32' && owner !== process.geteuid?.()) {
    throw new Error(
      `The database in ${cluster} belongs to another user (uid ${owner}). Start as that user or as root, ` +
        'or set DATA_DIR to another directory.',
    );
  }
  const found = await clusterVersion(cluster);
  if (found === undefined || found === major) return;
  throw new Error(
    `${cluster} was created by PostgreSQL ${found}, but this release has PostgreSQL ${major}. ` +
      'Dump it with the release of this service that created it (or any pg_dump of that version), move the directory ' +
      'away, start again and restore the dump; or set DATABASE_URL to a PostgreSQL of your own.',
  );
}

/** When the files of a cluster last changed, in seconds since 1970, before and after they got another owner. */
export interface OwnerChange {
  readonly changedAt: number;
  readonly now: number;
}

/**
 * Creates the cluster with initdb when there is none. The caller must hold the lock of the data directory.
 * @returns what the database needs to know if the existing files got another owner.
 */
export async function ensureCluster(
  dataDir: DataDir,
  programs: string,
  major: string,
  log: (message: string) => void,
): Promise<OwnerChange | undefined> {
  const { cluster, logFile, user } = dataDir;
  const owner = await ownerOf(cluster);
  let change: OwnerChange | undefined;
  // After root restores a backup, everything belongs to root. After earlier versions it may belong to nobody.
  if (owner !== undefined && user !== undefined && owner !== user.uid) {
    const changedAt = await changeTimeOf(cluster);
    for (const directory of [socketDirectoryPath(dataDir), dirname(logFile)])
      await changeOwnerOfTree(directory, user).catch(ignoreMissing);
    await changeOwnerOfTree(cluster, user);
    change = { changedAt, now: await changeTimeOf(cluster) };
    log(`Gave the files of the database in ${cluster} to the user ${user.name}, who runs PostgreSQL`);
  }
  if (owner === undefined || (await clusterVersion(cluster)) === undefined) {
    log(`First start: creating a new database in ${cluster}`);
    await prepareDirectory(cluster, user, async (directory, workplace) => {
      await initdb(directory, workplace, programs, user);
    });
  }
  await checkCluster(dataDir, major);
  return change;
}

/** When PG_VERSION last changed, as the database sees it (ADR 25); 0 if there is none. */
async function changeTimeOf(cluster: string): Promise<number> {
  const version = await stat(join(cluster, 'PG_VERSION')).catch(() => undefined);
  return Math.floor((version?.ctimeMs ?? 0) / 1000);
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}

/** The password of the user postgres. Only a server on a loopback port requires it. */
export async function readPassword(dataDir: DataDir): Promise<string> {
  const path = join(dataDir.cluster, PASSWORD_FILE);
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (cause) {
    throw new Error(
      `PostgreSQL listens on a loopback port, and its password cannot be read from ${path}. Restore that file from a ` +
        "backup, or start with transport 'socket', set a new one with ALTER ROLE postgres PASSWORD and write it there.",
      { cause },
    );
  }
}

async function ownerOf(cluster: string): Promise<number | undefined> {
  return (await stat(cluster).catch(() => undefined))?.uid;
}

/** PostgreSQL's major version; undefined when the directory is empty. */
async function clusterVersion(cluster: string): Promise<string | undefined> {
  const version = await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch(() => undefined);
  if (version !== undefined) return version.trim();
  if ((await readdir(cluster)).length === 0) return undefined;
  throw new Error(
    `${cluster} exists, but is not a PostgreSQL cluster (it has no PG_VERSION). Move it away and start again, ` +
      'or set DATA_DIR to another directory.',
  );
}

async function initdb(
  directory: string,
  workplace: string,
  programs: string,
  user: ServerUser | undefined,
): Promise<void> {
  const passwordFile = join(workplace, PASSWORD_FILE);
  await writeFile(passwordFile, randomBytes(24).toString('base64url'), { mode: 0o600, flush: true });
  if (user !== undefined) await lchown(passwordFile, user.uid, user.gid);
  const { code, output } = await runProgram(
    join(programs, 'bin', 'initdb'),
    [
      // Without these the encoding and the order of texts would depend on the locale of the first start.
      ...['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
      ...['--username=postgres', `--pwfile=${passwordFile}`],
      // Only the server's user can enter the socket's directory, but every local user can reach a loopback port.
      ...['--auth-local=trust', '--auth-host=scram-sha-256'],
      ...['--no-instructions', '--pgdata', directory],
    ],
    user,
  );
  if (code !== 0) {
    throw new Error(
      `PostgreSQL could not create a new database below ${workplace}: ${output}\nFix this problem (common reasons: ` +
        'the disk is full, or the user id has no line in /etc/passwd) and start again, ' +
        'or set DATABASE_URL to a PostgreSQL of your own.',
    );
  }
  await includeSettings(join(directory, 'postgresql.conf'));
  await renameDurably(passwordFile, join(directory, PASSWORD_FILE));
}

async function includeSettings(configuration: string): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_NOFOLLOW;
  const handle = await open(configuration, flags);
  try {
    await handle.appendFile(`\n# Written at each start; settings after this line override it.\n`);
    await handle.appendFile(`include_if_exists = '${SETTINGS_FILE}'\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Does not touch files that already belong to the user: by their change time the database detects restored files. */
async function changeOwnerOfTree(path: string, user: ServerUser): Promise<void> {
  // The top directory last, because its owner shows whether the change is complete.
  for (const entry of await readdir(path, { withFileTypes: true })) {
    const child = join(path, entry.name);
    if (entry.isDirectory()) await changeOwnerOfTree(child, user);
    else await changeOwner(child, user);
  }
  await changeOwner(path, user);
}

async function changeOwner(path: string, user: ServerUser): Promise<void> {
  if ((await lstat(path)).uid !== user.uid) await lchown(path, user.uid, user.gid);
}
