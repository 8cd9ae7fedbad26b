import { connect } from 'node:net';
import { join } from 'node:path';
import type { ServerAddress } from './postmaster-file.js';

/** Errors of connecting to an address where nothing listens; ENOENT is a Unix socket that does not exist. */
const NOTHING_LISTENS = new Set(['ECONNREFUSED', 'ENOENT']);

/** A server that hangs is slow to accept, but the kernel queues the connection at once. */
const PATIENCE_MS = 5_000;

/** True unless it is certain that nothing listens there. */
export async function listens({ host, kind, port }: ServerAddress): Promise<boolean> {
  const socket = kind === 'socket' ? connect(join(host, `.s.PGSQL.${port}`)) : connect(port, host);
  return new Promise((resolve) => {
    const answer = (value: boolean): void => {
      socket.destroy();
      resolve(value);
    };
    socket.setTimeout(PATIENCE_MS, () => {
      answer(true);
    });
    socket.once('connect', () => {
      answer(true);
    });
    socket.once('error', (error) => {
      answer(!isNothingListening(error));
    });
  });
}

/** True for the error of a connection attempt that reached nobody. */
export function isNothingListening(error: unknown): boolean {
  return NOTHING_LISTENS.has((error as NodeJS.ErrnoException).code ?? '');
}
