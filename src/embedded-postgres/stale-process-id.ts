import { execFile } from 'node:child_process';
import { unlinkSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { firstNumber, pidFile, type PostmasterFile, readProcessId } from './postmaster-file.js';

/**
 * Removes a postmaster.pid whose number belongs, in our PID namespace, to a process that is no server of this cluster:
 * both PostgreSQL and pg_ctl would take it for a running one. Such a file stays behind after a power cut or when a
 * container is killed. Only for a caller that holds the lock and has found that nothing listens. True if removed.
 */
export async function discardStaleProcessId(cluster: string, { processId, address }: PostmasterFile): Promise<boolean> {
  if (!(await isAnotherProcess(processId, cluster))) return false;
  // Nothing asynchronous from the second look on: a server just started by another process must keep its file.
  if (readProcessId(cluster) !== processId) return false;
  unlinkSync(pidFile(cluster));
  if (address?.kind === 'socket') {
    const lock = join(address.host, `.s.PGSQL.${address.port}.lock`);
    if (firstNumber(lock) === processId) unlinkSync(lock);
  }
  return true;
}

/** False when there is no such process, or when that cannot be told. */
async function isAnotherProcess(processId: number, cluster: string): Promise<boolean> {
  const name = await processName(processId);
  if (name === undefined) return false;
  if (name !== 'postgres') return true;
  return process.platform === 'linux' && ((await isZombie(processId)) || (await worksElsewhere(processId, cluster)));
}

/** The name of a process's program; undefined when that cannot be told. */
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

/** A dead server keeps its number where nobody asks for its end: in a container whose first process is the service. */
async function isZombie(processId: number): Promise<boolean> {
  const status = await readFile(`/proc/${processId}/status`, 'utf8').catch(() => '');
  return /^State:\s+Z/m.test(status);
}

/** A server's working directory is its cluster. Compared by what it is: its path may differ between mount namespaces. */
async function worksElsewhere(processId: number, cluster: string): Promise<boolean> {
  try {
    const [its, ours] = await Promise.all([stat(`/proc/${processId}/cwd`), stat(cluster)]);
    return its.ino !== ours.ino || its.dev !== ours.dev;
  } catch {
    return false;
  }
}
