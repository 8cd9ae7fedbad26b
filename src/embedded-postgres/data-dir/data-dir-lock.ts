import { spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { DataDir } from './data-dir.js';

/** Outside the cluster, because it also protects the creation of the cluster. */
const LOCK_FILE = 'database.lock';

/** The exit status of flock(1) when another process holds the lock. */
const LOCK_IS_TAKEN = 1;

/**
 * The right to start a server in the data directory, and to create or remove anything there (ADR 24).
 *
 * A process id is meaningless in another PID namespace, and so is PostgreSQL's shared memory in another IPC namespace.
 * So this is a lock that the kernel keeps with an open file. The server and its children inherit the file: the kernel
 * releases the lock when the last of them has ended.
 */
export class DataDirLock {
  constructor(private readonly file: FileHandle | undefined) {}

  /** The locked file, for the server to inherit. Undefined without flock(1); then nothing is locked. */
  get descriptor(): number | undefined {
    return this.file?.fd;
  }

  /** Closes this process's copy. A server that has inherited the lock keeps it. */
  async release(): Promise<void> {
    await this.file?.close();
  }
}

/** Takes the lock, or returns undefined when another process holds it. */
export async function takeDataDirLock(dataDir: DataDir): Promise<DataDirLock | undefined> {
  // macOS and Windows have no flock(1), but no PID namespaces either, so PostgreSQL's own checks are sufficient.
  if (process.platform !== 'linux') return new DataDirLock(undefined);
  const path = join(dataDir.path, LOCK_FILE);
  const file = await openLockFile(path, dataDir);
  try {
    const outcome = await flock(file.fd);
    if (outcome === 'locked' && (await isAt(path, file))) return new DataDirLock(file);
    await file.close();
    return outcome === 'no flock' ? new DataDirLock(undefined) : undefined;
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function openLockFile(path: string, { user }: DataDir): Promise<FileHandle> {
  const flags = constants.O_RDWR | constants.O_NOFOLLOW;
  for (;;) {
    try {
      return await open(path, flags);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
    const made = await open(path, flags | constants.O_CREAT | constants.O_EXCL, 0o600).catch(ignoreExisting);
    if (made === undefined) continue;
    // So the owner of a cluster can start it later without root.
    if (user !== undefined) await made.chown(user.uid, user.gid);
    return made;
  }
}

function ignoreExisting(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
}

/** Whether the opened file is still at the path. The lock of a replaced file protects nothing. */
async function isAt(path: string, file: FileHandle): Promise<boolean> {
  const [there, ours] = await Promise.all([stat(path).catch(() => undefined), file.stat()]);
  return there?.ino === ours.ino && there.dev === ours.dev;
}

/** Runs flock(1), because Node has no flock. The lock stays with the open file after the program has ended. */
async function flock(descriptor: number): Promise<'locked' | 'taken' | 'no flock'> {
  return new Promise((resolve, reject) => {
    const child = spawn('flock', ['-n', '3'], { stdio: ['ignore', 'ignore', 'pipe', descriptor] });
    let complaint = '';
    child.stderr?.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
    child.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') resolve('no flock');
      else reject(error);
    });
    child.once('close', (code) => {
      if (code === 0) resolve('locked');
      // BusyBox's flock has this exit status for every fault, but prints a message for all others.
      else if (code === LOCK_IS_TAKEN && complaint === '') resolve('taken');
      else reject(new Error(`${LOCK_FILE} in DATA_DIR cannot be locked (flock: ${complaint.trim()}). ${ADVICE}`));
    });
  });
}

const ADVICE = 'Set DATA_DIR to a file system that supports locks, or set DATABASE_URL to a PostgreSQL of your own.';
