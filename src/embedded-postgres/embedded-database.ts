import { checkCluster } from './cluster/cluster.js';
import { enterDataDir } from './data-dir/data-dir.js';
import { findPlatformPackage } from './programs/platform-package.js';
import { Server } from './server/server.js';
import { type ServerConnection, SharedServer } from './server/shared-server.js';
import type { Transport } from './cluster/settings.js';

/** The embedded PostgreSQL, which this process uses until it closes it. */
export interface EmbeddedDatabase {
  /** The superuser, who owns the tables. It stays the same while open, even if the server crashes. */
  readonly ownerConnection: ServerConnection;
  /** The service, whose role has only the rights that the migrations grant. It stays the same, too. */
  readonly connection: ServerConnection;
  /** Stops the server unless another process uses it. Close all pools before. */
  close(): Promise<void>;
}

export interface EmbeddedDatabaseOptions {
  /** Created if it is missing. */
  readonly dataDir: string;
  /** Called with each line of the log. */
  readonly log: (message: string) => void;
  /** Called with lines that an operator should see even without a log; default: `log`. */
  readonly warn?: (message: string) => void;
  /** How a server that this process starts listens; default: loopback on Windows, otherwise socket. */
  readonly transport?: Transport;
}

/**
 * Opens the PostgreSQL in the data directory: joins a running server or starts one, and creates the cluster at the
 * first start.
 * @throws Error with advice, when this platform, directory or user cannot run a server.
 */
export async function openEmbeddedDatabase(options: EmbeddedDatabaseOptions): Promise<EmbeddedDatabase> {
  const { log, warn = log, transport = process.platform === 'win32' ? 'loopback' : 'socket' } = options;
  const platformPackage = await findPlatformPackage();
  return withAdvice(options.dataDir, async () => {
    const dataDir = await enterDataDir(options.dataDir, log);
    await checkCluster(dataDir, platformPackage.major);
    const shared = new SharedServer(new Server(dataDir, platformPackage, log), transport, log, warn);
    const { owner, service } = await shared.open();
    return { ownerConnection: owner, connection: service, close: () => shared.close() };
  });
}

/** Adds advice to errors of the file system (EACCES, ENOSPC, EROFS …). */
async function withAdvice<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).syscall === undefined) throw cause;
    throw new Error(
      `The embedded PostgreSQL cannot be prepared or reached in DATA_DIR (${dataDir}): ${(cause as Error).message}. Make ` +
        'sure that the user who starts the service can write to the directory and that it has 200 MB free, set DATA_DIR ' +
        'to another directory, or set DATABASE_URL to a PostgreSQL of your own.',
      { cause },
    );
  }
}
