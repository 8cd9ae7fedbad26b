import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';
import type { DataDir } from './data-dir.js';
import { requestStop } from './lease.js';
import { readPostmasterFile } from './postmaster-file.js';

/** How often to look. */
const PERIOD_MS = 500;

/** A server in use, and the lease that keeps it in use. */
interface WatchedServer {
  readonly dataDir: DataDir;
  readonly identity: string;
  readonly lease: Client;
  readonly log: (message: string) => void;
}

/**
 * Ends a "smart shutdown". SIGTERM has the server refuse new connections and wait for the old ones to end; our own would
 * keep it so for ever. So we have it end them at once: then it stops, and whoever needs it starts it again.
 */
export function watchForStop(server: WatchedServer, until: readonly AbortSignal[]): void {
  const signal = AbortSignal.any([...until]);
  endSmartShutdown(server, signal).catch((error: unknown) => {
    // The end of the watch shows as an error, too.
    if (!signal.aborted) server.log(`PostgreSQL cannot be watched: ${String(error)}`);
  });
}

async function endSmartShutdown({ dataDir, identity, lease, log }: WatchedServer, signal: AbortSignal): Promise<void> {
  for (;;) {
    await delay(PERIOD_MS, undefined, { ref: false, signal });
    const file = await readPostmasterFile(dataDir);
    if (file?.identity !== identity || !file.isStopping || signal.aborted) continue;
    log('PostgreSQL was told to stop while in use; ending its connections, so that it can be started again');
    await requestStop(lease);
    return;
  }
}
