import { connect } from 'node:net';
import { join } from 'node:path';
import type { ServerAddress } from '../cluster/postmaster-file.js';

/** The codes of a connection to an address where nothing listens. ENOENT means that the Unix socket does not exist. */
const NOTHING_LISTENS = new Set(['ECONNREFUSED', 'ENOENT']);

/** More than enough: even if a server hangs, the kernel queues the connection at once. */
const LIMIT_MS = 5_000;

/** True unless it is certain that nothing listens there. */
export async function isListening({ host, kind, port }: ServerAddress): Promise<boolean> {
  const socket = kind === 'socket' ? connect(join(host, `.s.PGSQL.${port}`)) : connect(port, host);
  return new Promise((resolve) => {
    const answer = (value: boolean): void => {
      socket.destroy();
      resolve(value);
    };
    socket.setTimeout(LIMIT_MS, () => {
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

/** True for the error of a connection to an address where nothing listens. */
export function isNothingListening(error: unknown): boolean {
  return NOTHING_LISTENS.has((error as NodeJS.ErrnoException).code ?? '');
}
