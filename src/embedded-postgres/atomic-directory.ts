import { randomUUID } from 'node:crypto';
import { lchown, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { renameDurably } from '../durable-files/index.js';
import type { ServerUser } from './server-user.js';

const TEMPORARY = '.preparing-';

/** Long enough for the slowest copy or initdb: what is older was left by a process that died. */
const LEFTOVER_AGE_MS = 10 * 60_000;

/** True when somebody was there first: on Windows that shows as EPERM. */
const TAKEN = new Set(['EEXIST', 'ENOTEMPTY', 'EPERM']);

/**
 * Lets `fill` make a directory under a temporary name and moves it to `target` in one step, so that `target` is
 * complete or absent even after a power cut. When another process got there first, ours is discarded.
 */
export async function prepareDirectory(
  target: string,
  owner: ServerUser | undefined,
  fill: (directory: string, workplace: string) => Promise<void>,
): Promise<void> {
  const parent = dirname(target);
  const workplace = join(parent, TEMPORARY + randomUUID());
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

/** Removes what first starts that were killed have left behind. */
export async function removeLeftovers(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    if (!name.startsWith(TEMPORARY)) continue;
    const path = join(parent, name);
    try {
      const { mtimeMs } = await stat(path);
      if (Date.now() - mtimeMs > LEFTOVER_AGE_MS) await rm(path, { recursive: true, force: true });
    } catch {
      // Another process is removing it too, or it belongs to another user: tidiness is not worth a failed start.
    }
  }
}

async function moveInto(directory: string, target: string): Promise<void> {
  try {
    await renameDurably(directory, target);
  } catch (error) {
    const lostTheRace = TAKEN.has((error as NodeJS.ErrnoException).code ?? '') && (await exists(target));
    if (!lostTheRace) throw error;
  }
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}
