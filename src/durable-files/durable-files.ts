import { type FileHandle, open, rename, rm, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Errors for unreadable directories, and on file systems that cannot sync directories. PostgreSQL ignores them, too.
 */
const CANNOT_BE_SYNCED = new Set(['EACCES', 'EBADF', 'EINVAL', 'EISDIR', 'EPERM']);

/** Only the user of this process may read and write the file. */
const PRIVATE = 0o600;

/**
 * Creates a file, and removes one that an earlier attempt has left there. Never writes through a symbolic link, which
 * somebody else may have put there, and never into a file that somebody else has open.
 * @throws the error of the file system, EEXIST if somebody creates a file of this name at the same moment.
 */
export async function createFile(path: string, mode = PRIVATE): Promise<FileHandle> {
  await unlink(path).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  });
  return open(path, 'wx', mode);
}

/** Renames a file so that a power cut cannot undo it. The file's content must be synced already. */
export async function renameDurably(from: string, to: string): Promise<void> {
  await rename(from, to);
  await syncDirectory(dirname(to));
}

/** Removes a file, if it exists, so that a power cut cannot undo it. */
export async function removeDurably(path: string): Promise<void> {
  await rm(path, { force: true });
  await syncDirectory(dirname(path));
}

/** Makes creations, renames and removals in a directory survive a power cut. */
export async function syncDirectory(path: string): Promise<void> {
  // Windows cannot open directories; NTFS journals renames by itself.
  if (process.platform === 'win32') return;
  let directory: FileHandle | undefined;
  try {
    directory = await open(path, 'r');
    await directory.sync();
  } catch (error) {
    if (!CANNOT_BE_SYNCED.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
  } finally {
    await directory?.close();
  }
}
