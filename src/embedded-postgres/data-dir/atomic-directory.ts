import { randomUUID } from 'node:crypto';
import { lchown, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { renameDurably } from '../../durable-files/index.js';
import type { ServerUser } from './server-user.js';

const TEMPORARY_PREFIX = '.preparing-';

/** Longer than the slowest copy or initdb, so an older directory was left by a process that died. */
const LEFTOVER_AGE_MS = 10 * 60_000;

/** The codes of a rename to an existing directory; EPERM is that of Windows. */
const TARGET_EXISTS = new Set(['EEXIST', 'ENOTEMPTY', 'EPERM']);

/**
 * Lets `fill` create a directory under a temporary name and renames it to `target`, so that `target` is complete or
 * missing even after a power cut. If another process was faster, the new directory is removed.
 */
export async function prepareDirectory(
  target: string,
  owner: ServerUser | undefined,
  fill: (directory: string, workplace: string) => Promise<void>,
): Promise<void> {
  const parent = dirname(target);
  const workplace = join(parent, TEMPORARY_PREFIX + randomUUID());
  await mkdir(workplace, { mode: 0o700 });
  try {
    if (owner !== undefined) await lchown(workplace, owner.uid, owner.gid);
    const directory = join(workplace, 'content');
    await fill(directory, workplace);
    await moveInto(directory, target);
  } finally {
    await rm(workplace, { recursive: true, force: true });
  }
}

/** Removes temporary directories of first starts that were killed. */
export async function removeLeftovers(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    if (!name.startsWith(TEMPORARY_PREFIX)) continue;
    const path = join(parent, name);
    try {
      const { mtimeMs } = await stat(path);
      if (Date.now() - mtimeMs > LEFTOVER_AGE_MS) await rm(path, { recursive: true, force: true });
    } catch {
      // Another process removes it, too, or it belongs to another user. Neither is a reason to fail the start.
    }
  }
}

async function moveInto(directory: string, target: string): Promise<void> {
  try {
    await renameDurably(directory, target);
  } catch (error) {
    const lostTheRace = TARGET_EXISTS.has((error as NodeJS.ErrnoException).code ?? '') && (await exists(target));
    if (!lostTheRace) throw error;
  }
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}
