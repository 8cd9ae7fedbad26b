import { type DataDirLock, takeDataDirLock } from './data-dir-lock.js';
import { listens } from './listens.js';
import { type PostmasterFile, readPostmasterFile } from './postmaster-file.js';
import type { Server } from './server.js';
import { type Transport, wasStartedUnderLock } from './settings.js';
import { discardStaleProcessId } from './stale-process-id.js';

/** What came of an attempt to start the server: that, or why it was not made. */
export type StartOutcome = 'started' | { readonly obstacle: string };

const LOOK_AGAIN = { obstacle: 'it is starting or stopping' };

const WITHOUT_LOCK =
  'Warning: there is no flock(1) here (package util-linux), so nothing keeps another container on this data directory ' +
  'from starting a second PostgreSQL on the same files.';

/**
 * Starts the server if it is certain that none runs on the files, in whatever namespace. For a caller that has found
 * nothing listening. Everything that changes the data directory happens here, under its lock.
 */
export async function startUnlessRunning(
  server: Server,
  transport: Transport,
  log: (message: string) => void,
): Promise<StartOutcome> {
  const lock = await takeDataDirLock(server.dataDir);
  if (lock === undefined) {
    return {
      obstacle: 'another process, perhaps in another container, holds its lock and cannot be reached from here',
    };
  }
  try {
    // A server of a version before the lock may have begun to listen since the caller asked.
    const file = await readPostmasterFile(server.dataDir);
    const obstacle = file && (await obstacleIn(file, server, lock));
    if (obstacle !== undefined) return { obstacle };
    await server.prepare();
    if (file !== undefined && !(await isLeftBehind(file, server, log))) return LOOK_AGAIN;
    if (process.platform === 'linux' && lock.descriptor === undefined) log(WITHOUT_LOCK);
    return (await server.start(transport, lock)) ? 'started' : LOOK_AGAIN;
  } finally {
    await lock.release();
  }
}

/** Why the server of a postmaster.pid may run, though we hold the lock; undefined when it does not. */
async function obstacleIn(file: PostmasterFile, { dataDir }: Server, lock: DataDirLock): Promise<string | undefined> {
  const { address } = file;
  if (address !== undefined && (await listens(address))) return LOOK_AGAIN.obstacle;
  if (process.platform !== 'linux') return undefined;
  if (lock.descriptor === undefined) {
    return (
      'there is no flock(1) here to tell whether the PostgreSQL of its postmaster.pid still runs in another container. ' +
      'Install util-linux; or make sure that nothing else uses it, and delete that file'
    );
  }
  // Its socket is on the volume, so it would answer us; or it would hold the lock.
  if (address?.isInDataDir === true || (await wasStartedUnderLock(dataDir))) return undefined;
  return (
    'an earlier version of this program has started the PostgreSQL of its postmaster.pid, and it cannot be told from ' +
    'here whether that still runs in another container. Make sure that nothing else uses it, and delete that file'
  );
}

/** True when a postmaster.pid was left behind by a server that has ended. */
async function isLeftBehind(file: PostmasterFile, server: Server, log: (message: string) => void): Promise<boolean> {
  const { cluster } = server.dataDir;
  if (await discardStaleProcessId(cluster, file)) {
    log(`Removed ${cluster}/postmaster.pid, which a server that has ended left behind`);
    return true;
  }
  // In our own PID namespace a server of a version before the lock may be starting or hanging.
  return !(await server.isRunning());
}
