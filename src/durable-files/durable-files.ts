import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** A directory that we may write to but not read, and file systems that sync no directories: PostgreSQL goes on, too. */
const NOT_SYNCED_HERE = new Set(['EACCES', 'EBADF', 'EINVAL', 'EISDIR', 'EPERM']);

/** Renames a file whose content is synced already, so that a power cut cannot take back the new name. */
export async function renameDurably(from: string, to: string): Promise<void> {
  await rename(from, to);
  await syncDirectory(dirname(to));
}

/** Removes a file, if it exists, so that a power cut cannot bring it back. */
export async function removeDurably(path: string): Promise<void> {
  await rm(path, { force: true });
  await syncDirectory(dirname(path));
}

/** Makes what was created, renamed and removed in a directory survive a power cut. */
export async function syncDirectory(path: string): Promise<void> {
  // Windows opens no directories; NTFS journals renames by itself.
  if (process.platform === 'win32') return;
  let directory: FileHandle | undefined;
  try {
    directory = await open(path, 'r');
    await directory.sync();
  } catch (error) {
    if (!NOT_SYNCED_HERE.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
  } finally {
    await directory?.close();
  }
}
