import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { DataDir } from '../data-dir/data-dir.js';

/** Where a server listens: a socket directory, or an address, and its port. */
export interface ServerAddress {
  readonly host: string;
  readonly port: number;
  readonly kind: 'socket' | 'loopback';
  /** True for a socket in the data directory, which every container with this volume can reach. */
  readonly isInDataDir: boolean;
}

/** The content of postmaster.pid, which a server writes into its cluster. */
export interface PostmasterFile {
  /** The process id in the server's PID namespace, which may differ from ours. */
  readonly processId: number;
  /** Different for every start. */
  readonly identity: string;
  /** Undefined until the server has written it. */
  readonly address: ServerAddress | undefined;
  /** True when the server is shutting down. */
  readonly isStopping: boolean;
}

/**
 * Reads postmaster.pid; undefined when there is none. The address must be read from it, because another process may
 * have started the server with another transport or temporary directory.
 */
export async function readPostmasterFile({ cluster, path }: DataDir): Promise<PostmasterFile | undefined> {
  const text = await readFile(pidFile(cluster), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  // Lines: process id, data directory, start time, port, first socket directory, first listen address, …, status
  const [id = '', itsCluster = '', , port, socket, address, , status = ''] = text.split('\n');
  const processId = Number.parseInt(id, 10);
  if (Number.isNaN(processId)) return undefined;
  const common = { processId, identity: identityIn(text), isStopping: status.trim() === 'stopping' };
  if (!port || address === undefined) return { ...common, address: undefined };
  if (socket) {
    // This process may see the volume under another path than the server.
    const isInDataDir = socket === join(dirname(itsCluster), 'run');
    const host = isInDataDir ? join(path, 'run') : socket;
    return { ...common, address: { host, port: Number(port), kind: 'socket', isInDataDir } };
  }
  if (!address) return { ...common, address: undefined };
  return { ...common, address: { host: address, port: Number(port), kind: 'loopback', isInDataDir: false } };
}

/** Identifies one start of a server: process id, data directory, start time and port. */
export function identityIn(postmasterFile: string): string {
  return postmasterFile.split('\n').slice(0, 4).join('\n');
}

/** The process id in postmaster.pid, if there is one. */
export function readProcessId(cluster: string): number | undefined {
  return firstNumber(pidFile(cluster));
}

/** The path of postmaster.pid. */
export function pidFile(cluster: string): string {
  return join(cluster, 'postmaster.pid');
}

/** The number at the beginning of a file, if there is one. */
export function firstNumber(path: string): number | undefined {
  try {
    const number = Number.parseInt(readFileSync(path, 'utf8'), 10);
    return Number.isNaN(number) ? undefined : number;
  } catch {
    return undefined;
  }
}
