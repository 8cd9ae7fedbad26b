import { type DataDirLock, takeDataDirLock } from '../data-dir/data-dir-lock.js';
import { isListening } from './is-listening.js';
import { type PostmasterFile, readPostmasterFile } from '../cluster/postmaster-file.js';
import type { Server } from './server.js';
import { type Transport, wasStartedWithLock } from '../cluster/settings.js';
import { removeStalePidFile } from '../cluster/stale-pid-file.js';

/** The result of an attempt to start the server: started, or why not. */
export type StartOutcome = 'started' | { readonly obstacle: string };

const TRY_AGAIN = { obstacle: 'it is starting or stopping' };

const NO_LOCK_WARNING =
  'Warning: there is no flock(1) here (package util-linux), so nothing prevents another container on this data directory ' +
  'from starting a second PostgreSQL on the same files.';

/**
 * Starts the server if it is certain that no server uses the files, in any namespace. The caller must know that nothing
 * listens. Everything that changes the data directory happens here, while this process holds its lock (ADR 24).
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
    // Another version without the lock may have started a server since the caller's check.
    const file = await readPostmasterFile(server.dataDir);
    const obstacle = file && (await obstacleIn(file, server, lock));
    if (obstacle !== undefined) return { obstacle };
    await server.prepare();
    if (file !== undefined && !(await isStale(file, server, log))) return TRY_AGAIN;
    if (process.platform === 'linux' && lock.descriptor === undefined) log(NO_LOCK_WARNING);
    return (await server.start(transport, lock)) ? 'started' : TRY_AGAIN;
  } finally {
    await lock.release();
  }
}

/** Why the server of a postmaster.pid may be running although we hold the lock; undefined when it has ended. */
async function obstacleIn(file: PostmasterFile, { dataDir }: Server, lock: DataDirLock): Promise<string | undefined> {
  const { address } = file;
  if (address !== undefined && (await isListening(address))) return TRY_AGAIN.obstacle;
  if (process.platform !== 'linux') return undefined;
  if (lock.descriptor === undefined) {
    return (
      'there is no flock(1) here to find out whether the PostgreSQL of its postmaster.pid still runs in another container. ' +
      'Install util-linux; or make sure that nothing else uses it, and delete that file'
    );
  }
  // A running server would answer at its socket on the volume, or hold the lock.
  if (address?.isInDataDir === true || (await wasStartedWithLock(dataDir))) return undefined;
  return (
    'an earlier version of this program has started the PostgreSQL of its postmaster.pid, and it is unknown whether that ' +
    'still runs in another container. Make sure that nothing else uses it, and delete that file'
  );
}

/** True when the server of a postmaster.pid has ended without removing it. */
async function isStale(file: PostmasterFile, server: Server, log: (message: string) => void): Promise<boolean> {
  const { cluster } = server.dataDir;
  if (await removeStalePidFile(cluster, file)) {
    log(`Removed ${cluster}/postmaster.pid, which a server that has ended left behind`);
    return true;
  }
  // In this PID namespace a server of a version without the lock may be starting or hanging.
  return !(await server.isRunning());
}
