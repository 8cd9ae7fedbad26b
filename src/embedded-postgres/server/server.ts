import { open, rename, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';
import { syncDirectory } from '../../durable-files/index.js';
import { removeLeftovers } from '../data-dir/atomic-directory.js';
import { ensureCluster, type OwnerChange } from '../cluster/cluster.js';
import type { DataDir } from '../data-dir/data-dir.js';
import type { DataDirLock } from '../data-dir/data-dir-lock.js';
import { requestStop } from './lease.js';
import { installPrograms, type PlatformPackage, programsDirectory } from '../programs/platform-package.js';
import { isListening } from './is-listening.js';
import { type PostmasterFile, readPostmasterFile } from '../cluster/postmaster-file.js';
import { privateDirectory } from '../data-dir/private-directory.js';
import { type Outcome, runProgram } from '../programs/run-program.js';
import { type Transport, writeSettings } from '../cluster/settings.js';

/** How long a start or a stop may take, in seconds. */
const LIMIT_S = 60;

/** A server that has not listened for so long was killed, and will not remove its postmaster.pid. */
const KILLED_MS = 2_000;

const LOG_LIMIT_BYTES = 10 * 1024 * 1024;

/**
 * Temporary reasons of a failed start, in the server's log: another process was faster, or has already joined and
 * stopped the new server; children of the last server are still ending; or another program took the port.
 */
const TEMPORARY_FAILURES =
  /lock file ".*" already exists|ready to accept connections|pre-existing shared memory block|could not bind IPv4/;

/** The server of one cluster, which this or another process has started. */
export class Server {
  constructor(
    readonly dataDir: DataDir,
    private readonly platformPackage: PlatformPackage,
    private readonly log: (message: string) => void,
  ) {}

  /** Set while the database does not know that its files got another owner. */
  ownerChange: OwnerChange | undefined;

  /** Installs the programs and creates the cluster, if they are missing. The caller must hold the lock. */
  async prepare(): Promise<void> {
    const { path } = this.dataDir;
    await removeLeftovers(path);
    const programs = await installPrograms(this.platformPackage, path, this.log);
    this.ownerChange ??= await ensureCluster(this.dataDir, programs, this.platformPackage.major, this.log);
  }

  /** Whether pg_ctl finds the process of postmaster.pid. It only sees this process's own PID namespace. */
  async isRunning(): Promise<boolean> {
    return (await this.pgCtl(['status'])).code === 0;
  }

  /** @returns true when this call started the server; false when the caller should check again. @throws Error. */
  async start(transport: Transport, lock: DataDirLock): Promise<boolean> {
    const { path, logFile, user } = this.dataDir;
    // The process that created the cluster may have died before its rename was durable.
    await syncDirectory(path);
    await privateDirectory(dirname(logFile), user, 'repair');
    await writeSettings(this.dataDir, transport, lock);
    const logStart = await this.rotateLog();
    const start = ['start', '--wait', `--timeout=${LIMIT_S}`, '--log', logFile];
    const { code, output } = await this.pgCtl(start, lock.descriptor);
    if (code === 0) return true;
    const lines = await lastLines(logFile, logStart);
    if (TEMPORARY_FAILURES.test(lines) || (await this.isRunning())) return false;
    throw new Error(
      `PostgreSQL did not start: ${output}\nThe last lines of its log, ${logFile}:\n${lines}\n` +
        'Fix this problem and start again, or set DATABASE_URL to a PostgreSQL of your own.',
    );
  }

  /** Ends all connections and shuts down cleanly. */
  async stop(lease: Client): Promise<void> {
    const running = await readPostmasterFile(this.dataDir);
    // Windows has no signals, but pg_ctl works there.
    if (process.platform === 'win32') await this.pgCtl(['stop', '--mode=fast', '--no-wait']);
    else await requestStop(lease);
    if (running === undefined || (await this.hasEnded(running))) return;
    throw new Error(
      `PostgreSQL did not stop within ${LIMIT_S} s. Its log is ${this.dataDir.logFile}. ` +
        'It will still stop by itself. No data is lost, and the next start waits for it.',
    );
  }

  /** Waits until the server has removed its postmaster.pid, which is its last step, or was killed. */
  private async hasEnded({ address, identity }: PostmasterFile): Promise<boolean> {
    const deadline = Date.now() + LIMIT_S * 1000;
    let listenedAt = Date.now();
    while (Date.now() < deadline) {
      if ((await readPostmasterFile(this.dataDir))?.identity !== identity) return true;
      if (address !== undefined && (await isListening(address))) listenedAt = Date.now();
      if (Date.now() - listenedAt > KILLED_MS) return true;
      await delay(25);
    }
    return false;
  }

  private async pgCtl([command = '', ...options]: readonly string[], inherited?: number): Promise<Outcome> {
    const { cluster, path, user } = this.dataDir;
    const program = join(programsDirectory(this.platformPackage, path), 'bin', 'pg_ctl');
    return runProgram(program, [command, '--pgdata', cluster, ...options], user, inherited);
  }

  /** Renames a long log, because pg_ctl only appends to it. @returns the length of the log. */
  private async rotateLog(): Promise<number> {
    const { logFile } = this.dataDir;
    const size = (await stat(logFile).catch(() => undefined))?.size ?? 0;
    if (size < LOG_LIMIT_BYTES) return size;
    await rename(logFile, `${logFile}.1`).catch(() => undefined);
    return 0;
  }
}

/** The last lines that were added to the log after `start`. */
async function lastLines(path: string, start: number): Promise<string> {
  try {
    const handle = await open(path, 'r');
    try {
      const end = (await handle.stat()).size;
      const length = Math.min(Math.max(end - start, 0), 64 * 1024);
      const { buffer } = await handle.read(Buffer.alloc(length), 0, length, end - length);
      return buffer.toString().trim().split('\n').slice(-15).join('\n');
    } finally {
      await handle.close();
    }
  } catch {
    return '(no log was written)';
  }
}
