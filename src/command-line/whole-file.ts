import { createWriteStream } from 'node:fs';
import { realpath, rm, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createFile, renameDurably } from '../durable-files/index.js';

/** The name of a file until it is complete, so that a file with the final name is never incomplete. */
export function partial(path: string): string {
  return `${path}.partial`;
}

/**
 * Writes a file that only this user may read, and replaces an existing one only when complete. Writes to a device or a
 * pipe directly.
 */
export async function writeWhole(path: string, content: Readable): Promise<void> {
  const existing = await stat(path).catch(() => undefined);
  if (existing !== undefined && !existing.isFile()) {
    await pipeline(content, createWriteStream(path));
    return;
  }
  // Follow a symbolic link, so that the link itself is not replaced.
  const target = existing === undefined ? path : await realpath(path);
  try {
    await pipeline(content, (await createFile(partial(target))).createWriteStream({ flush: true }));
    await renameDurably(partial(target), target);
  } catch (error) {
    await rm(partial(target), { force: true });
    throw error;
  }
}
