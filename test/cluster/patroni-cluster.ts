import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { freePort } from '../support/free-port.js';
import type { Ledger } from '../support/ledger-invariants.js';
import { until } from '../support/until.js';
import { type Daemon, makeOwnDirectory, NOBODY, startDaemon } from './daemons.js';
import { PatroniNode } from './patroni-node.js';
import { pathOf, postgresPrograms } from './programs.js';

const run = promisify(execFile);

const ROOT = new URL('../../', import.meta.url).pathname;
const DEPLOY = join(ROOT, 'deploy/cluster');
const NAMES = ['node1', 'node2', 'node3'];
/** No log may contain them. */
export const PASSWORDS = {
  superuser: 'of the whole cluster',
  replication: 'of its standbys',
  owner: 'of all tables',
  service: 'of both services',
};
/** How long the cluster may take to be complete, on a busy machine, in milliseconds. */
const COMPLETE_LIMIT = 240_000;

/** A node as Patroni's REST API describes it. */
interface Member {
  readonly name: string;
  readonly role: string;
  readonly state: string;
  readonly timeline?: number;
  /** Bytes that a standby lacks, or unknown. */
  readonly lag?: number | string;
}

/** Three PostgreSQL nodes under Patroni, one etcd, and HAProxy in front, with the configuration of deploy/cluster/. */
export class PatroniCluster implements Ledger {
  private constructor(
    private readonly directory: string,
    private readonly etcd: Daemon,
    private readonly haproxy: Daemon,
    readonly nodes: readonly PatroniNode[],
    private readonly port: number,
    private readonly file: string,
  ) {}

  static async start(): Promise<PatroniCluster> {
    const directory = mkdtempSync(join(tmpdir(), 'offertory-cluster-'));
    chmodSync(directory, 0o755);
    const [etcdPort = 0, peerPort = 0, haproxyPort = 0, ...ports] = await freePorts(3 + 2 * NAMES.length);
    const etcd = startEtcd(directory, etcdPort, peerPort);
    const file = patroniFile(directory);
    const nodes: PatroniNode[] = [];
    for (const [index, name] of NAMES.entries()) {
      const [port = 0, apiPort = 0] = ports.slice(2 * index);
      const environment = environmentOfAll();
      nodes.push(
        await PatroniNode.start({
          ...{ name, directory: join(directory, name), port, apiPort, etcdPort, file, environment },
        }),
      );
    }
    const haproxy = startHaproxy(directory, haproxyPort, nodes);
    const cluster = new PatroniCluster(directory, etcd, haproxy, nodes, haproxyPort, file);
    try {
      await cluster.untilComplete();
      await cluster.createRoles();
    } catch (error) {
      const logs = nodes.map(({ name }) => readFileSync(join(directory, name, 'patroni.log'), 'utf8').slice(-2_000));
      await cluster.destroy();
      throw new Error(`The cluster did not start:\n${logs.join('\n')}`, { cause: error });
    }
    return cluster;
  }

  /** The URL of the primary as the superuser, through HAProxy. */
  get url(): string {
    return this.urlFor('offertory', PASSWORDS.superuser);
  }

  /** The settings of a service. */
  get variables(): Readonly<Record<'DATABASE_URL' | 'MIGRATION_DATABASE_URL', string>> {
    return {
      DATABASE_URL: this.urlFor('offertory_service', PASSWORDS.service),
      MIGRATION_DATABASE_URL: this.urlFor('offertory_owner', PASSWORDS.owner),
    };
  }

  /** Runs a statement on the primary. */
  query<Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return queryAt<Row>(this.url, text, values);
  }

  /** Runs a statement on one node. */
  queryOn<Row>(node: PatroniNode, text: string): Promise<Row[]> {
    return queryAt<Row>(this.urlFor('offertory', PASSWORDS.superuser, node.port), text, []);
  }

  /** The node that is the primary, by Patroni's word. */
  async primary(): Promise<PatroniNode> {
    const leader = (await this.members()).find(({ role }) => role === 'leader');
    const node = this.nodes.find(({ name }) => name === leader?.name);
    if (node === undefined) throw new Error('The cluster has no primary');
    return node;
  }

  /** Waits until there are a primary and two standbys that follow it, one of them synchronous. */
  async untilComplete(): Promise<void> {
    await until(async () => isComplete(await this.members()), COMPLETE_LIMIT);
  }

  /** Runs patronictl, as in the container of a node. @returns its output. */
  async patronictl(...args: readonly string[]): Promise<string> {
    const [node] = this.nodes;
    const { stdout } = await run(pathOf('patronictl'), args, {
      ...NOBODY,
      cwd: '/',
      env: { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8', PATRONICTL_CONFIG_FILE: this.file, ...node?.environment },
    });
    return stdout;
  }

  /** The environment of the container "postgres", in which PostgreSQL's programs reach the primary. */
  get environmentOfPrograms(): Readonly<Record<string, string>> {
    return {
      PGHOST: '127.0.0.1',
      PGPORT: String(this.port),
      PGUSER: 'offertory',
      PGDATABASE: 'offertory',
      PGPASSWORD: PASSWORDS.superuser,
    };
  }

  async destroy(): Promise<void> {
    for (const node of this.nodes) await node.destroy();
    await this.haproxy.end();
    await this.etcd.end();
    rmSync(this.directory, { recursive: true, force: true });
  }

  private urlFor(user: string, password: string, port = this.port): string {
    return `postgres://${user}:${encodeURIComponent(password)}@127.0.0.1:${port}/offertory`;
  }

  /** As the container "roles" does. */
  private async createRoles(): Promise<void> {
    await run('sh', [join(ROOT, 'scripts/database-roles.sh')], {
      env: {
        PATH: process.env['PATH'],
        ...this.environmentOfPrograms,
        OWNER_PASSWORD: PASSWORDS.owner,
        SERVICE_PASSWORD: PASSWORDS.service,
      },
    });
  }

  /** The nodes, as the first Patroni that answers sees them; none while no one answers. */
  private async members(): Promise<readonly Member[]> {
    for (const { apiUrl } of this.nodes) {
      try {
        const response = await fetch(`${apiUrl}/cluster`, { signal: AbortSignal.timeout(2_000) });
        return ((await response.json()) as { members: Member[] }).members;
      } catch {
        // It is killed or frozen.
      }
    }
    return [];
  }
}

function isComplete(members: readonly Member[]): boolean {
  const roles = members.map(({ role }) => role).sort();
  return (
    roles.join() === 'leader,replica,sync_standby' &&
    new Set(members.map(({ timeline }) => timeline)).size === 1 &&
    members.every(
      ({ role, state, lag }) => ['running', 'streaming'].includes(state) && (role === 'leader' || lag === 0),
    )
  );
}

async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await freePort());
  return [...ports];
}

function startEtcd(directory: string, port: number, peerPort: number): Daemon {
  const [clients, peers] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peerPort}`];
  const args = [
    ...['--enable-v2', '--name', 'etcd', '--data-dir', makeOwnDirectory(join(directory, 'etcd'))],
    ...['--listen-client-urls', clients, '--advertise-client-urls', clients],
    ...['--listen-peer-urls', peers, '--initial-advertise-peer-urls', peers, '--initial-cluster', `etcd=${peers}`],
  ];
  return startDaemon(pathOf('etcd'), args, {}, logFile(directory, 'etcd'));
}

function startHaproxy(directory: string, port: number, nodes: readonly PatroniNode[]): Daemon {
  const environment = Object.fromEntries(
    nodes.flatMap(({ name, port, apiUrl }) => [
      [`${name.toUpperCase()}_POSTGRES`, `127.0.0.1:${port}`],
      [`${name.toUpperCase()}_PATRONI_PORT`, new URL(apiUrl).port],
    ]),
  );
  const file = join(DEPLOY, 'haproxy.cfg');
  return startDaemon(
    pathOf('haproxy'),
    ['-db', '-f', copyOf(directory, file)],
    { HAPROXY_LISTEN: `127.0.0.1:${port}`, ...environment },
    logFile(directory, 'haproxy'),
  );
}

/** A copy that the user of the programs can read: the checkout may be closed to others. */
function copyOf(directory: string, file: string, change = (text: string): string => text): string {
  const copy = join(directory, file.split('/').at(-1) ?? '');
  writeFileSync(copy, change(readFileSync(file, 'utf8')));
  chmodSync(copy, 0o755);
  return copy;
}

const logFile = (directory: string, name: string): string => join(directory, `${name}.log`);

/** deploy/cluster/patroni.yml without what only the image has: PostgreSQL 18, and its directory for sockets. */
function patroniFile(directory: string): string {
  const afterBootstrap = copyOf(directory, join(DEPLOY, 'after-bootstrap.sh'));
  return copyOf(directory, join(DEPLOY, 'patroni.yml'), (text) => {
    const changed = text
      .replaceAll(/^ *- (locale-provider|builtin-locale): .*\n/gm, '')
      .replace('/var/run/postgresql', "''")
      .replace('/etc/patroni/after-bootstrap.sh', afterBootstrap);
    if (/builtin|: \/(var|etc)/.test(changed)) throw new Error('deploy/cluster/patroni.yml has changed');
    return changed;
  });
}

function environmentOfAll(): Record<string, string> {
  return {
    PATRONI_POSTGRESQL_BIN_DIR: postgresPrograms ?? '',
    PATRONI_SUPERUSER_USERNAME: 'offertory',
    PATRONI_SUPERUSER_PASSWORD: PASSWORDS.superuser,
    PATRONI_REPLICATION_USERNAME: 'replicator',
    PATRONI_REPLICATION_PASSWORD: PASSWORDS.replication,
  };
}

/** Uses a new connection each time: an open one does not survive a failover. */
async function queryAt<Row>(url: string, text: string, values: readonly unknown[]): Promise<Row[]> {
  // On many rows, PostgreSQL would compile the check of the ledger for a quarter of a minute.
  const client = new Client({ connectionString: url, options: '-c jit=off' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(text, [...values])).rows as Row[];
  } finally {
    await client.end();
  }
}
