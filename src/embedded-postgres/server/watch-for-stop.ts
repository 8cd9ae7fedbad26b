import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';
import type { DataDir } from '../data-dir/data-dir.js';
import { requestStop } from './lease.js';
import { readPostmasterFile } from '../cluster/postmaster-file.js';

const PERIOD_MS = 500;

/** A server in use, and the lease that keeps it in use. */
interface WatchedServer {
  readonly dataDir: DataDir;
  readonly identity: string;
  readonly lease: Client;
  readonly log: (message: string) => void;
}

/**
 * Completes a "smart shutdown". After SIGTERM the server refuses new connections and waits until the old ones end,
 * which this process would keep open for ever. So this makes the server end them, stop, and be ready for a new start.
 */
export function watchForStop(server: WatchedServer, until: readonly AbortSignal[]): void {
  const signal = AbortSignal.any([...until]);
  endSmartShutdown(server, signal).catch((error: unknown) => {
    // Aborting the watch rejects, too.
    if (!signal.aborted) server.log(`PostgreSQL cannot be watched: ${String(error)}`);
  });
}

async function endSmartShutdown({ dataDir, identity, lease, log }: WatchedServer, signal: AbortSignal): Promise<void> {
  for (;;) {
    await delay(PERIOD_MS, undefined, { ref: false, signal });
    const file = await readPostmasterFile(dataDir);
    if (file?.identity !== identity || !file.isStopping || signal.aborted) continue;
    log('PostgreSQL was told to stop while in use. Ending its connections, so that it can be started again');
    await requestStop(lease);
    return;
  }
}
