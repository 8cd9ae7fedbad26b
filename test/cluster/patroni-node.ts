import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type BareServer, startBareServer } from '../support/bare-server.js';
import { type Forwarder, startForwarder } from '../support/forwarder.js';
import { until } from '../support/until.js';
import { childrenOf, type Daemon, kill, makeOwnDirectory, startDaemon } from './daemons.js';
import { pathOf } from './programs.js';

/** What a node needs to know. */
export interface NodeSettings {
  readonly name: string;
  /** A new directory for its files. */
  readonly directory: string;
  /** The ports of PostgreSQL and of Patroni's REST API. */
  readonly port: number;
  readonly apiPort: number;
  readonly etcdPort: number;
  /** The configuration of Patroni. */
  readonly file: string;
  /** PATRONI_… for all nodes. */
  readonly environment: Readonly<Record<string, string>>;
}

/** A PostgreSQL with its Patroni, and its own way to etcd. */
export class PatroniNode {
  private patroni: Daemon | undefined;
  private frozen: readonly number[] = [];

  private constructor(
    private readonly settings: NodeSettings,
    private readonly wayToEtcd: Forwarder,
    private readonly nowhere: BareServer,
  ) {}

  static async start(settings: NodeSettings): Promise<PatroniNode> {
    makeOwnDirectory(settings.directory);
    const wayToEtcd = await startForwarder(settings.etcdPort);
    // As behind a cut cable: connections are never answered.
    const node = new PatroniNode(settings, wayToEtcd, await startBareServer(() => undefined));
    node.startPatroni();
    return node;
  }

  get name(): string {
    return this.settings.name;
  }

  get port(): number {
    return this.settings.port;
  }

  get apiUrl(): string {
    return `http://127.0.0.1:${this.settings.apiPort}`;
  }

  /** Everything that Patroni and patronictl read from the environment on this node. */
  get environment(): Readonly<Record<string, string>> {
    const { name, directory, port, apiPort, environment } = this.settings;
    return {
      ...environment,
      PATRONI_NAME: name,
      // Not by the API of etcd 3: a primary of Patroni 3.0 that was frozen takes the key back there without looking whose it
      // is by now, and the new primary gives way, with all that it has acknowledged (ADR 64).
      PATRONI_ETCD_HOST: `127.0.0.1:${this.wayToEtcd.port}`,
      // Otherwise Patroni asks etcd for its addresses, and no longer takes the way that can be cut.
      PATRONI_ETCD_USE_PROXIES: 'true',
      PATRONI_RESTAPI_LISTEN: `127.0.0.1:${apiPort}`,
      PATRONI_RESTAPI_CONNECT_ADDRESS: `127.0.0.1:${apiPort}`,
      PATRONI_POSTGRESQL_LISTEN: `127.0.0.1:${port}`,
      PATRONI_POSTGRESQL_CONNECT_ADDRESS: `127.0.0.1:${port}`,
      PATRONI_POSTGRESQL_DATA_DIR: join(directory, 'data'),
      PATRONI_POSTGRESQL_PGPASS: join(directory, 'pgpass'),
    };
  }

  /** Kills PostgreSQL only. Its other processes end when the first one is gone. */
  killPostgres(): void {
    kill(this.postmaster(), 'SIGKILL');
  }

  /** Kills PostgreSQL and Patroni. */
  async killAll(): Promise<void> {
    const pids = this.postgresProcesses();
    const killed = this.patroni?.end();
    for (const pid of pids) kill(pid, 'SIGKILL');
    await killed;
    this.patroni = undefined;
  }

  /** Stops both properly: Patroni gives up the lead, and stops PostgreSQL. */
  async stop(): Promise<void> {
    await this.patroni?.end('SIGTERM');
    this.patroni = undefined;
  }

  /** Deletes its books. It must be stopped. */
  wipe(): void {
    rmSync(join(this.settings.directory, 'data'), { recursive: true });
  }

  /** Starts Patroni again, which starts PostgreSQL. */
  async restart(): Promise<void> {
    const [postmaster] = this.postgresProcesses();
    // The first process of the machine may take its time to collect a killed one, and PostgreSQL would wait for it.
    await until(() => postmaster === undefined || !existsSync(`/proc/${postmaster}`));
    this.startPatroni();
  }

  /** Stops Patroni and all processes of PostgreSQL, so that connections stay open and nothing is answered. */
  freeze(): void {
    const patroni = this.patroni?.pid ?? 0;
    kill(patroni, 'SIGSTOP');
    const postmaster = this.postmaster();
    kill(postmaster, 'SIGSTOP');
    this.frozen = [patroni, postmaster, ...childrenOf(postmaster)];
    for (const pid of this.frozen) kill(pid, 'SIGSTOP');
  }

  thaw(): void {
    for (const pid of this.frozen) kill(pid, 'SIGCONT');
    this.frozen = [];
  }

  cutOffFromEtcd(): void {
    this.wayToEtcd.to(this.nowhere.port);
  }

  connectToEtcd(): void {
    this.wayToEtcd.to(this.settings.etcdPort);
  }

  async destroy(): Promise<void> {
    this.thaw();
    await this.killAll();
    await this.wayToEtcd.close();
    await this.nowhere.stop();
  }

  private startPatroni(): void {
    const { directory, file } = this.settings;
    const log = join(directory, 'patroni.log');
    this.patroni = startDaemon(pathOf('patroni'), [file], this.environment, log, () => this.postgresProcesses());
  }

  private postmaster(): number {
    const [pid] = this.postgresProcesses();
    if (pid === undefined) throw new Error(`${this.name} has no PostgreSQL`);
    return pid;
  }

  /** The processes of PostgreSQL, the first one first. */
  private postgresProcesses(): readonly number[] {
    const file = join(this.settings.directory, 'data', 'postmaster.pid');
    if (!existsSync(file)) return [];
    const pid = Number(readFileSync(file, 'utf8').split('\n', 1)[0]);
    return [pid, ...childrenOf(pid)];
  }
}
