import { open, rename, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';
import { syncDirectory } from '../durable-files/index.js';
import { removeLeftovers } from './atomic-directory.js';
import { ensureCluster } from './cluster.js';
import type { DataDir } from './data-dir.js';
import type { DataDirLock } from './data-dir-lock.js';
import { requestStop } from './lease.js';
import { installPrograms, type PlatformPackage, programsDirectory } from './platform-package.js';
import { listens } from './listens.js';
import { type PostmasterFile, readPostmasterFile } from './postmaster-file.js';
import { privateDirectory } from './private-directory.js';
import { type Outcome, runProgram } from './program.js';
import { type Transport, writeSettings } from './settings.js';

/** Seconds that a start or a stop may take. */
const PATIENCE_S = 60;

/** A server that has not listened for so long has not removed its postmaster.pid and never will. */
const KILLED_MS = 2_000;

const LOG_LIMIT_BYTES = 10 * 1024 * 1024;

/**
 * Starts that failed for a reason that passes: another process was faster, or has already joined and stopped what we
 * started; the last server's children are still dying; or somebody took the port that was free a moment ago.
 */
const PASSING =
  /lock file ".*" already exists|ready to accept connections|pre-existing shared memory block|could not bind IPv4/;

/** The server of one cluster, whoever started it. */
export class Server {
  constructor(
    readonly dataDir: DataDir,
    private readonly platformPackage: PlatformPackage,
    private readonly log: (message: string) => void,
  ) {}

  /** Installs the programs and makes the cluster, where missing. Only for a caller that holds the lock. */
  async prepare(): Promise<void> {
    const { path } = this.dataDir;
    await removeLeftovers(path);
    const programs = await installPrograms(this.platformPackage, path, this.log);
    await ensureCluster(this.dataDir, programs, this.platformPackage.major, this.log);
  }

  /** What pg_ctl makes of the process id in postmaster.pid. Sees the processes of our own PID namespace only. */
  async isRunning(): Promise<boolean> {
    return (await this.pgCtl(['status'])).code === 0;
  }

  /** True when this call started the server; false when it should be looked at again. Throws when it cannot start. */
  async start(transport: Transport, lock: DataDirLock): Promise<boolean> {
    const { path, logFile, user } = this.dataDir;
    // The process that made the cluster may have died before its rename was on the disk.
    await syncDirectory(path);
    await privateDirectory(dirname(logFile), user, 'repair');
    await writeSettings(this.dataDir, transport, lock);
    const logStart = await this.rotateLog();
    const start = ['start', '--wait', `--timeout=${PATIENCE_S}`, '--log', logFile];
    const { code, output } = await this.pgCtl(start, lock.descriptor);
    if (code === 0) return true;
    const lines = await lastLines(logFile, logStart);
    if (PASSING.test(lines) || (await this.isRunning())) return false;
    throw new Error(
      `PostgreSQL did not start: ${output}\nThe last lines of its log, ${logFile}:\n${lines}\n` +
        'Mend what it complains of and start again, or set DATABASE_URL to a PostgreSQL of your own.',
    );
  }

  /** Ends all connections and stops in order. */
  async stop(lease: Client): Promise<void> {
    const running = await readPostmasterFile(this.dataDir);
    // On Windows there are no signals; pg_ctl has its own way there.
    if (process.platform === 'win32') await this.pgCtl(['stop', '--mode=fast', '--no-wait']);
    else await requestStop(lease);
    if (running === undefined || (await this.hasEnded(running))) return;
    throw new Error(
      `PostgreSQL did not stop within ${PATIENCE_S} s. Its log is ${this.dataDir.logFile}. ` +
        'It goes on stopping by itself; no data is lost, and the next start waits for it.',
    );
  }

  /** Waits until the server has removed its postmaster.pid, which it does last, unless it is killed before. */
  private async hasEnded({ address, identity }: PostmasterFile): Promise<boolean> {
    const deadline = Date.now() + PATIENCE_S * 1000;
    let listenedAt = Date.now();
    while (Date.now() < deadline) {
      if ((await readPostmasterFile(this.dataDir))?.identity !== identity) return true;
      if (address !== undefined && (await listens(address))) listenedAt = Date.now();
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

  /** The log's length, after a long one was put aside: pg_ctl only appends. */
  private async rotateLog(): Promise<number> {
    const { logFile } = this.dataDir;
    const size = (await stat(logFile).catch(() => undefined))?.size ?? 0;
    if (size < LOG_LIMIT_BYTES) return size;
    await rename(logFile, `${logFile}.1`).catch(() => undefined);
    return 0;
  }
}

/** What the log has got since `start`, of that the end. */
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
