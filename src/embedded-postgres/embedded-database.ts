import { checkCluster } from './cluster.js';
import { enterDataDir } from './data-dir.js';
import { findPlatformPackage } from './platform-package.js';
import { Server } from './server.js';
import { type ServerConnection, SharedServer } from './shared-server.js';
import type { Transport } from './settings.js';

/** A PostgreSQL of our own, in use by us until closed. */
export interface EmbeddedDatabase {
  /** What a pg.Pool or TypeORM needs; stays the same while open, also through a crash of the server. */
  readonly connection: ServerConnection;
  /** Gives back our part in the server, and stops it unless another process uses it. Close all pools before. */
  close(): Promise<void>;
}

/** Where the embedded database lives and how it is reached. */
export interface EmbeddedDatabaseOptions {
  /** Created when missing. */
  readonly dataDir: string;
  /** Told what happens, a line at a time. */
  readonly log: (message: string) => void;
  /** Told what somebody should know who reads no log, a line at a time; default: `log`. */
  readonly warn?: (message: string) => void;
  /** How to listen when we are the ones to start the server: default loopback on Windows, socket elsewhere. */
  readonly transport?: Transport;
}

/**
 * Opens the PostgreSQL in the data directory: joins it when it runs, otherwise starts it, and prepares it at the first
 * start.
 * Throws, with advice, when this platform, directory or user allows no server.
 */
export async function openEmbeddedDatabase(options: EmbeddedDatabaseOptions): Promise<EmbeddedDatabase> {
  const { log, warn = log, transport = process.platform === 'win32' ? 'loopback' : 'socket' } = options;
  const platformPackage = await findPlatformPackage();
  return withAdvice(options.dataDir, async () => {
    const dataDir = await enterDataDir(options.dataDir, log);
    await checkCluster(dataDir, platformPackage.major);
    const shared = new SharedServer(new Server(dataDir, platformPackage, log), transport, log, warn);
    const connection = await shared.open();
    return { connection, close: () => shared.close() };
  });
}

/** The file system's own errors (EACCES, ENOSPC, EROFS …) name a path but not what to do. */
async function withAdvice<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).syscall === undefined) throw cause;
    throw new Error(
      `The embedded PostgreSQL cannot be prepared or reached in DATA_DIR (${dataDir}): ${(cause as Error).message}. Make ` +
        'sure that the directory can be written to by whoever starts the service and has 200 MB free, set DATA_DIR to ' +
        'another place, or set DATABASE_URL to a PostgreSQL of your own.',
      { cause },
    );
  }
}
