import { execFile } from 'node:child_process';
import { readFileSync, unlinkSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';

/** Where the running server says it can be reached: a socket directory, or an address, and its port. */
export interface ServerAddress {
  readonly host: string;
  readonly port: number;
  readonly kind: 'socket' | 'loopback';
}

/**
 * Reads the address from the cluster's postmaster.pid. Undefined while the server has not written it yet.
 * Another process may have started the server with another transport or temp directory, so nobody may compute it.
 */
export async function readAddress(cluster: string): Promise<ServerAddress | undefined> {
  // Lines: process id, data directory, start time, port, first socket directory, first listen address, …
  const [, , , port, socket, address] = (await readFile(pidFile(cluster), 'utf8').catch(() => '')).split('\n');
  if (!port || address === undefined) return undefined;
  if (socket) return { host: socket, port: Number(port), kind: 'socket' };
  return address ? { host: address, port: Number(port), kind: 'loopback' } : undefined;
}

/** The process id in postmaster.pid, if there is one. */
export function readProcessId(cluster: string): number | undefined {
  return firstNumber(pidFile(cluster));
}

/**
 * After a power cut, the number in postmaster.pid may belong to a process that has nothing to do with PostgreSQL, which
 * both the server and pg_ctl take for a running server. Removes the file then, and only when sure; true if removed.
 */
export async function discardForeignProcessId(cluster: string): Promise<boolean> {
  const processId = readProcessId(cluster);
  if (processId === undefined) return false;
  const name = await processName(processId);
  if (name === undefined || name === 'postgres') return false;
  const address = await readAddress(cluster);
  // Nothing asynchronous from the second look on: a server just started by another process must keep its file.
  if (firstNumber(pidFile(cluster)) !== processId) return false;
  unlinkSync(pidFile(cluster));
  if (address?.kind === 'socket') {
    const lock = join(address.host, `.s.PGSQL.${address.port}.lock`);
    if (firstNumber(lock) === processId) unlinkSync(lock);
  }
  return true;
}

function pidFile(cluster: string): string {
  return join(cluster, 'postmaster.pid');
}

function firstNumber(path: string): number | undefined {
  try {
    const number = Number.parseInt(readFileSync(path, 'utf8'), 10);
    return Number.isNaN(number) ? undefined : number;
  } catch {
    return undefined;
  }
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
