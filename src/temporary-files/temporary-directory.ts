import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The rest of a name is the id of the process, and characters that make it unique. */
const PREFIX = 'offertory-files-';

/**
 * Makes an empty directory that only this account can read. Whoever makes it removes it.
 * {@link removeLeftDirectories} removes those of a process that was killed.
 */
export async function makeTemporaryDirectory(place = tmpdir()): Promise<string> {
  return mkdtemp(join(place, `${PREFIX}${process.pid}-`));
}

/**
 * Removes the temporary directories of processes that no longer run: their files have the data of givers. Call it when the
 * process starts, before it makes a directory: one with its own process id is from an earlier process. Never throws.
 */
export async function removeLeftDirectories(place = tmpdir()): Promise<void> {
  const names = await readdir(place).catch(() => []);
  const left = names.filter((name) => name.startsWith(PREFIX) && hasEnded(name));
  // What another account has made cannot be removed.
  await Promise.all(left.map((name) => rm(join(place, name), { recursive: true, force: true }).catch(() => undefined)));
}

function hasEnded(name: string): boolean {
  const pid = Number.parseInt(name.slice(PREFIX.length), 10);
  if (Number.isNaN(pid)) return false;
  if (pid === process.pid) return true;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    // Otherwise it runs under another account.
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
