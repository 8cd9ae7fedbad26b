import { open, rename, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncDirectory } from './atomic-directory.js';
import type { DataDir } from './data-dir.js';
import { privateDirectory } from './private-directory.js';
import { type Outcome, runProgram } from './program.js';
import { type Transport, writeSettings } from './settings.js';

/** Seconds that pg_ctl waits for a start or a stop. */
const PATIENCE_S = 60;

const LOG_LIMIT_BYTES = 10 * 1024 * 1024;

/**
 * Starts that failed for a reason that passes: another process was faster, or has already joined and stopped what we
 * started; the last server's children are still dying; or somebody took the port that was free a moment ago.
 */
const PASSING =
  /lock file ".*" already exists|ready to accept connections|pre-existing shared memory block|could not bind IPv4/;

/** The server of one cluster, whoever started it, as pg_ctl sees it. */
export class Server {
  constructor(
    readonly dataDir: DataDir,
    private readonly programs: string,
  ) {}

  async isRunning(): Promise<boolean> {
    return (await this.pgCtl('status')).code === 0;
  }

  /** True when this call started the server; false when it should be looked at again. Throws when it cannot start. */
  async start(transport: Transport): Promise<boolean> {
    const { path, logFile, user } = this.dataDir;
    // The process that made the cluster may have died before its rename was on the disk.
    await syncDirectory(path);
    await privateDirectory(dirname(logFile), user, 'repair');
    await writeSettings(this.dataDir, transport);
    const logStart = await this.rotateLog();
    const { code, output } = await this.pgCtl('start', '--wait', `--timeout=${PATIENCE_S}`, '--log', logFile);
    if (code === 0) return true;
    const lines = await lastLines(logFile, logStart);
    if (PASSING.test(lines) || (await this.isRunning())) return false;
    throw new Error(
      `PostgreSQL did not start: ${output}\nThe last lines of its log, ${logFile}:\n${lines}\n` +
        'Mend what it complains of and start again, or set DATABASE_URL to a PostgreSQL of your own.',
    );
  }

  /** Ends all connections and stops in order. */
  async stop(): Promise<void> {
    const { code, output } = await this.pgCtl('stop', '--mode=fast', '--wait', `--timeout=${PATIENCE_S}`);
    if (code === 0 || !(await this.isRunning())) return;
    throw new Error(
      `PostgreSQL did not stop within ${PATIENCE_S} s: ${output}\nIts log is ${this.dataDir.logFile}. ` +
        'It goes on stopping by itself; no data is lost, and the next start waits for it.',
    );
  }

  private async pgCtl(command: string, ...options: string[]): Promise<Outcome> {
    const { cluster, user } = this.dataDir;
    return runProgram(join(this.programs, 'bin', 'pg_ctl'), [command, '--pgdata', cluster, ...options], user);
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
