// @ts-check
// Plain JavaScript, because the global setup imports it without Jest's transforms.
import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedDatabase } from '../../dist/src/embedded-postgres/index.js';

/** Lets this process and its children keep temporary files in memory if there is room. */
export function useMemoryForFiles() {
  const memory = memoryDirectory();
  if (memory !== undefined) process.env.TMPDIR = memory;
}

/**
 * A directory in memory with room for the run's databases, if this machine has one. Most of the time of a run went into
 * writing copies of the template to disk and deleting them.
 */
function memoryDirectory() {
  const directory = '/dev/shm';
  const needed = 4 * 2 ** 30;
  try {
    const { type, bavail, bsize } = statfsSync(directory);
    const isTmpfs = type === 0x01021994;
    return isTmpfs && bavail * bsize >= needed && freemem() >= needed ? directory : undefined;
  } catch {
    return undefined;
  }
}

/** The server of TEST_DATABASE_URL, or an embedded one in a temporary directory. */
export async function openTestServer() {
  const given = process.env.TEST_DATABASE_URL;
  if (given) return { url: given, stop: () => Promise.resolve() };
  const dataDir = mkdtempSync(join(tmpdir(), 'offertory-test-'));
  // If the tests run as root, PostgreSQL runs as another user, who needs access to this directory.
  chmodSync(dataDir, 0o755);
  const server = await openEmbeddedDatabase({ dataDir, log: () => undefined });
  const { host, port, user, password, database } = server.ownerConnection;
  const login = password === undefined ? user : `${user}:${password}`;
  return {
    url: `postgres://${login}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`,
    stop: async () => {
      await server.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
