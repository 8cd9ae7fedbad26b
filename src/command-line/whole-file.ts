import { createWriteStream } from 'node:fs';
import { realpath, rm, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { renameDurably } from '../durable-files/index.js';

/** Where a file is written until it is whole: what bears the name itself is never a part. */
export function partial(path: string): string {
  return `${path}.partial`;
}

/** Writes a file that replaces an earlier one only once it is whole; a device or a pipe is written to as it is. */
export async function writeWhole(path: string, content: Readable): Promise<void> {
  const existing = await stat(path).catch(() => undefined);
  if (existing !== undefined && !existing.isFile()) {
    await pipeline(content, createWriteStream(path));
    return;
  }
  // A link stays one.
  const target = existing === undefined ? path : await realpath(path);
  try {
    await pipeline(content, createWriteStream(partial(target), { flush: true }));
    await renameDurably(partial(target), target);
  } catch (error) {
    await rm(partial(target), { force: true });
    throw error;
  }
}
