import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { DataDir } from './data-dir.js';
import { blockingDirectory, type ServerUser } from './server-user.js';

/** The path of a Unix socket can have 107 bytes on Linux and 103 elsewhere. */
const SOCKET_PATH_LIMIT = 100;

/**
 * The directory of the server's socket, private to its user: `run` in the data directory. If that path is too long for
 * a socket, it is in the temporary directory, and its name depends only on the data directory's real path.
 */
export async function socketDirectory(dataDir: DataDir): Promise<string> {
  const path = socketDirectoryPath(dataDir);
  return privateDirectory(path, dataDir.user, path.startsWith(dataDir.path) ? 'repair' : 'refuse');
}

/** The path of {@link socketDirectory}, which may not exist yet. */
export function socketDirectoryPath(dataDir: DataDir): string {
  const own = join(dataDir.path, 'run');
  if (isShortEnough(own)) return own;
  const name = `offertory-${createHash('sha256').update(dataDir.path).digest('hex').slice(0, 16)}`;
  return join(isUsable(join(tmpdir(), name), dataDir.user) ? tmpdir() : '/tmp', name);
}

/**
 * Creates a directory that only the server's user may enter, or uses the existing one.
 * @param whenUnsafe what to do with a wrong owner or mode. Refuse it in a place where anybody may have created it.
 */
export async function privateDirectory(
  path: string,
  user: ServerUser | undefined,
  whenUnsafe: 'repair' | 'refuse',
): Promise<string> {
  await mkdir(path, { mode: 0o700 }).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  });
  if (process.platform === 'win32') return path;
  const handle = await openDirectory(path);
  try {
    if (whenUnsafe === 'refuse') await refuseUnsafe(handle, path, user);
    // By handle, so that nobody can replace the directory between the check and the change.
    if (user !== undefined) await handle.chown(user.uid, user.gid);
    await handle.chmod(0o700);
  } finally {
    await handle.close();
  }
  return path;
}

function isUsable(directory: string, user: ServerUser | undefined): boolean {
  return isShortEnough(directory) && (user === undefined || blockingDirectory(dirname(directory), user) === undefined);
}

function isShortEnough(directory: string): boolean {
  return Buffer.byteLength(join(directory, '.s.PGSQL.5432')) < SOCKET_PATH_LIMIT;
}

async function openDirectory(path: string): Promise<FileHandle> {
  try {
    return await open(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  } catch (cause) {
    throw unsafe(path, `is not a directory that can be used (${(cause as Error).message})`, cause);
  }
}

async function refuseUnsafe(handle: FileHandle, path: string, user: ServerUser | undefined): Promise<void> {
  const { uid, mode } = await handle.stat();
  if (uid !== user?.uid && uid !== process.geteuid?.()) throw unsafe(path, `belongs to another user (uid ${uid})`);
  if ((mode & 0o077) !== 0) throw unsafe(path, 'is open to other users');
}

function unsafe(path: string, reason: string, cause?: unknown): Error {
  return new Error(
    `The directory ${path} for PostgreSQL's socket or log ${reason}. Remove it or move it away and start again, ` +
      'or set DATA_DIR to another directory. With a path shorter than 80 characters everything is in DATA_DIR.',
    { cause },
  );
}
