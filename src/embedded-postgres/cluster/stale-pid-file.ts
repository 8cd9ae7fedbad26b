import { execFile } from 'node:child_process';
import { unlinkSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { firstNumber, pidFile, type PostmasterFile, readProcessId } from './postmaster-file.js';

/**
 * Removes a postmaster.pid whose process id belongs, in our PID namespace, to another process than a server of this
 * cluster. PostgreSQL and pg_ctl would take that process for a running server. Such a file remains after a power cut or
 * when a container is killed. The caller must hold the lock, and know that nothing listens. @returns true if removed.
 */
export async function removeStalePidFile(cluster: string, { processId, address }: PostmasterFile): Promise<boolean> {
  if (!(await isAnotherProcess(processId, cluster))) return false;
  // Synchronous from here on, so that the file of a server that another process starts at this moment is not removed.
  if (readProcessId(cluster) !== processId) return false;
  unlinkSync(pidFile(cluster));
  if (address?.kind === 'socket') {
    const lock = join(address.host, `.s.PGSQL.${address.port}.lock`);
    if (firstNumber(lock) === processId) unlinkSync(lock);
  }
  return true;
}

/** False when there is no such process, or when it is unknown. */
async function isAnotherProcess(processId: number, cluster: string): Promise<boolean> {
  const name = await processName(processId);
  if (name === undefined) return false;
  if (name !== 'postgres') return true;
  return process.platform === 'linux' && ((await isZombie(processId)) || (await worksElsewhere(processId, cluster)));
}

/** The name of a process's program; undefined when it is unknown. */
async function processName(processId: number): Promise<string | undefined> {
  try {
    if (process.platform === 'linux') return (await readFile(`/proc/${processId}/comm`, 'utf8')).trim();
    if (process.platform === 'win32') return undefined;
    const { stdout } = await promisify(execFile)('ps', ['-o', 'comm=', '-p', String(processId)]);
    return basename(stdout.trim()) || undefined;
  } catch {
    return undefined;
  }
}

/** In a container whose first process is the service, nothing reaps a dead server, so its process id remains in use. */
async function isZombie(processId: number): Promise<boolean> {
  const status = await readFile(`/proc/${processId}/status`, 'utf8').catch(() => '');
  return /^State:\s+Z/m.test(status);
}

/** A server's working directory is its cluster. Compared by inode: paths may differ between mount namespaces. */
async function worksElsewhere(processId: number, cluster: string): Promise<boolean> {
  try {
    const [its, ours] = await Promise.all([stat(`/proc/${processId}/cwd`), stat(cluster)]);
    return its.ino !== ours.ino || its.dev !== ours.dev;
  } catch {
    return false;
  }
}
