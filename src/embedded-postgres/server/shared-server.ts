import { createHmac } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';
import { isDatabaseUnavailable } from '../../database/index.js';
import { readPassword } from '../cluster/cluster.js';
import { acceptOwnerChange, ensureDatabase, returnLease, SERVICE_ROLE, takeLease } from './lease.js';
import { isNothingListening } from './is-listening.js';
import { readPostmasterFile } from '../cluster/postmaster-file.js';
import type { Server } from './server.js';
import type { Transport } from '../cluster/settings.js';
import { startUnlessRunning } from './start-unless-running.js';
import { watchForStop } from './watch-for-stop.js';

const DATABASE = 'offertory';

/** How long to wait for a server that is starting or stopping. */
const WAIT_LIMIT_MS = 60_000;

/** A longer wait is logged. */
const LOG_AFTER_MS = 3_000;

/** How a client reaches the database. */
export interface ServerConnection {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password?: string;
  readonly database: string;
}

/** The connections of the two roles. */
export interface RoleConnections {
  /** The superuser, who owns the tables. */
  readonly owner: ServerConnection;
  readonly service: ServerConnection;
}

/** The result of an attempt to join the server. */
type JoinOutcome = RoleConnections | 'nothing listens' | { readonly obstacle: string; readonly cause?: unknown };

/** A server that several processes may use. The first process starts it, and the last one to close stops it. */
export class SharedServer {
  private readonly closed = new AbortController();
  private closing: Promise<void> | undefined;
  private lease: Client | undefined;
  private recovery: Promise<void> | undefined;

  constructor(
    private readonly server: Server,
    private readonly transport: Transport,
    private readonly log: (message: string) => void,
    private readonly warn: (message: string) => void,
  ) {}

  /** Joins the running server, or starts it. Keeps a lease until closed, and takes a new one if the server crashes. */
  async open(): Promise<RoleConnections> {
    const begin = Date.now();
    let isLogged = false;
    for (let started = false; ;) {
      let outcome: JoinOutcome | 'started' = await this.join(started);
      if (outcome === 'nothing listens') outcome = await startUnlessRunning(this.server, this.transport, this.log);
      if (outcome === 'started') {
        started = true;
        continue;
      }
      if ('owner' in outcome) return outcome;
      const waited = Date.now() - begin;
      if (waited > WAIT_LIMIT_MS) throw this.unreachable(outcome);
      if (waited > LOG_AFTER_MS && !isLogged) {
        this.warn(`Waiting for PostgreSQL in ${this.server.dataDir.path}: ${outcome.obstacle}`);
        isLogged = true;
      }
      await delay(100, undefined, { signal: this.closed.signal });
    }
  }

  /** Returns the lease, and stops the server unless another process uses it. */
  async close(): Promise<void> {
    return (this.closing ??= this.finish());
  }

  private async join(started: boolean): Promise<JoinOutcome> {
    const { dataDir } = this.server;
    const file = await readPostmasterFile(dataDir);
    if (file?.address === undefined) return 'nothing listens';
    const { host, port, kind } = file.address;
    const password = kind === 'loopback' ? await readPassword(dataDir) : undefined;
    const servicePassword = password === undefined ? undefined : servicePasswordFrom(password);
    const login = loginAs('postgres', { host, port }, password);
    try {
      const lease = await takeLease(login, file.identity);
      if (lease === undefined) return { obstacle: `the server at ${host} is stopping, or belongs to other files` };
      await this.takeDatabase(lease, servicePassword);
      await this.reportOwnerChange({ ...login, database: DATABASE });
      this.keepLease(lease, file.identity);
    } catch (cause) {
      if (isNothingListening(cause)) return 'nothing listens';
      if (isDatabaseUnavailable(cause)) return { obstacle: (cause as Error).message, cause };
      throw cause;
    }
    this.log(`${started ? 'Started' : 'Joined the running'} PostgreSQL in ${dataDir.path}`);
    return {
      owner: { ...login, database: DATABASE },
      service: { ...loginAs(SERVICE_ROLE, { host, port }, servicePassword), database: DATABASE },
    };
  }

  private async takeDatabase(lease: Client, servicePassword: string | undefined): Promise<void> {
    try {
      await ensureDatabase(lease, DATABASE, servicePassword);
    } catch (error) {
      // A server that was just started must not keep running. The caller gets the first error.
      await this.release(lease).catch(() => undefined);
      throw error;
    }
  }

  private async reportOwnerChange(owner: ServerConnection): Promise<void> {
    if (this.server.ownerChange === undefined) return;
    await acceptOwnerChange(owner, this.server.ownerChange);
    this.server.ownerChange = undefined;
  }

  private keepLease(lease: Client, identity: string): void {
    this.lease = lease;
    const ended = new AbortController();
    watchForStop({ dataDir: this.server.dataDir, identity, lease, log: this.log }, [ended.signal, this.closed.signal]);
    lease.once('end', () => {
      ended.abort();
      this.lease = undefined;
      if (!this.closed.signal.aborted) this.recovery = this.recover();
    });
  }

  /** The server crashed or was stopped. Starts or joins it again, and takes a new lease. */
  private async recover(): Promise<void> {
    this.log('The connection to the embedded PostgreSQL was lost; trying to get it back');
    let logged = '';
    for (let pause = 250; ; pause = Math.min(2 * pause, 10_000)) {
      try {
        await delay(pause, undefined, { signal: this.closed.signal });
        await this.open();
        return;
      } catch (error) {
        if (this.closed.signal.aborted) return;
        const { message } = error as Error;
        if (message !== logged) this.log(message);
        logged = message;
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
      if (await returnLease(lease)) {
        await this.server.stop(lease);
        this.log(`Stopped PostgreSQL in ${this.server.dataDir.path}`);
      } else {
        this.log(`Left PostgreSQL in ${this.server.dataDir.path} running, because others use it`);
      }
    } catch (error) {
      // The server has already ended.
      if (!isDatabaseUnavailable(error)) throw error;
    } finally {
      await lease.end();
    }
  }

  private unreachable({ cause, obstacle }: { obstacle: string; cause?: unknown }): Error {
    const { logFile, path } = this.server.dataDir;
    return new Error(
      `PostgreSQL in ${path} could not be used within ${WAIT_LIMIT_MS / 1000} s: ${obstacle}. Its log is ${logFile}. ` +
        'If it is recovering after a crash, wait and start again. If it runs in another container that cannot be reached ' +
        'from here, stop that one first, or set DATABASE_URL to a PostgreSQL that both can reach. If it hangs, stop it ' +
        'where it runs: kill -INT with the number in the first line of database/postmaster.pid.',
      { cause },
    );
  }
}

function loginAs(
  user: string,
  address: Pick<ServerConnection, 'host' | 'port'>,
  password: string | undefined,
): Omit<ServerConnection, 'database'> {
  return { ...address, user, ...(password !== undefined && { password }) };
}

/** The same in every process, without another file; it does not reveal the superuser's password. */
function servicePasswordFrom(password: string): string {
  return createHmac('sha256', password).update(SERVICE_ROLE).digest('base64url');
}
