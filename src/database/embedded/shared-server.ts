import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';
import { readPassword } from './cluster.js';
import { isDatabaseUnavailable } from '../sqlstate.js';
import { ensureDatabase, giveBackLease, takeLease } from './lease.js';
import { discardForeignProcessId, readAddress, readProcessId } from './postmaster-file.js';
import type { Server } from './server.js';
import type { Transport } from './settings.js';

const DATABASE = 'offertory';

/** How long to try to reach a server that is starting or stopping. */
const PATIENCE_MS = 60_000;

/** What a client needs to reach the database. */
export interface ServerConnection {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password?: string;
  readonly database: string;
}

/** Our part in a server that several processes may use: started when nobody runs it, stopped by the last to close. */
export class SharedServer {
  private readonly closed = new AbortController();
  private closing: Promise<void> | undefined;
  private lease: Client | undefined;
  private recovery: Promise<void> | undefined;

  constructor(
    private readonly server: Server,
    private readonly transport: Transport,
    private readonly log: (message: string) => void,
  ) {}

  /** Joins the running server, or starts it; then keeps a lease until closed, through crashes of the server too. */
  async open(): Promise<ServerConnection> {
    const deadline = Date.now() + PATIENCE_MS;
    for (let started = false; ;) {
      if (!(await this.server.isRunning())) started = await this.server.start(this.transport);
      try {
        const connection = await this.join(started);
        if (connection !== undefined) return connection;
      } catch (error) {
        if (!isDatabaseUnavailable(error)) throw error;
        if (Date.now() > deadline) throw this.unreachable(error);
      }
      await this.discardForeign();
      if (Date.now() > deadline) throw this.unreachable();
      await delay(100, undefined, { signal: this.closed.signal });
    }
  }

  /** Gives the lease back, and stops the server unless another process uses it. */
  async close(): Promise<void> {
    return (this.closing ??= this.finish());
  }

  private async join(started: boolean): Promise<ServerConnection | undefined> {
    const address = await readAddress(this.server.dataDir.cluster);
    if (address === undefined) return undefined;
    const { host, port } = address;
    const password = address.kind === 'loopback' ? { password: await readPassword(this.server.dataDir) } : {};
    const login = { host, port, user: 'postgres', ...password };
    const lease = await takeLease(login);
    if (lease === undefined) return undefined;
    try {
      await ensureDatabase(lease, DATABASE);
    } catch (error) {
      // The first failure is the one to tell; and a server that we have just started must not be left behind.
      await this.release(lease).catch(() => undefined);
      throw error;
    }
    this.keep(lease);
    this.log(`${started ? 'Started' : 'Joined the running'} PostgreSQL in ${this.server.dataDir.path}`);
    return { ...login, database: DATABASE };
  }

  private keep(lease: Client): void {
    this.lease = lease;
    lease.once('end', () => {
      this.lease = undefined;
      if (!this.closed.signal.aborted) this.recovery = this.recover();
    });
  }

  /** The server crashed, or was stopped behind our back: others must see again that we use it, and we need it. */
  private async recover(): Promise<void> {
    this.log('The connection to the embedded PostgreSQL was lost; trying to get it back');
    let told = '';
    for (let pause = 250; ; pause = Math.min(2 * pause, 10_000)) {
      try {
        await delay(pause, undefined, { signal: this.closed.signal });
        await this.open();
        return;
      } catch (error) {
        if (this.closed.signal.aborted) return;
        const { message } = error as Error;
        if (message !== told) this.log(message);
        told = message;
      }
    }
  }

  private async finish(): Promise<void> {
    this.closed.abort();
    await this.recovery;
    if (this.lease !== undefined) await this.release(this.lease);
  }

  private async release(lease: Client): Promise<void> {
    try {
      if (await giveBackLease(lease)) {
        await this.server.stop();
        this.log(`Stopped PostgreSQL in ${this.server.dataDir.path}`);
      } else {
        this.log(`Left PostgreSQL in ${this.server.dataDir.path} running, because others use it`);
      }
    } catch (error) {
      // Gone before we could ask: nothing is left to be stopped.
      if (!isDatabaseUnavailable(error)) throw error;
    } finally {
      await lease.end();
    }
  }

  private async discardForeign(): Promise<void> {
    const { cluster } = this.server.dataDir;
    if (await discardForeignProcessId(cluster)) {
      this.log(`Removed ${cluster}/postmaster.pid: its process number now belongs to another program`);
    }
  }

  private unreachable(cause?: unknown): Error {
    const { cluster, logFile, path } = this.server.dataDir;
    const processId = readProcessId(cluster) ?? '?';
    return new Error(
      `PostgreSQL in ${path} (process ${processId}) could not be used within ${PATIENCE_MS / 1000} s` +
        `${cause instanceof Error ? `: ${cause.message}` : ''}. Its log is ${logFile}. If it is recovering after a crash, ` +
        `wait and start again. If process ${processId} is no PostgreSQL, remove ${cluster}/postmaster.pid; ` +
        `if it hangs, stop it by: kill -INT ${processId}`,
      { cause },
    );
  }
}
