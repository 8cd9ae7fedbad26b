import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { findPlatformPackage, installPrograms } from '../../src/embedded-postgres/programs/platform-package.js';
import { freePort } from './free-port.js';
import type { Ledger } from './ledger-invariants.js';

/** A PostgreSQL server for one test file, which may stop and start it. */
export interface PrivatePostgres extends Ledger {
  readonly place: PostgresPlace;
  readonly url: string;
  /** Changes server settings with ALTER SYSTEM and waits until they apply; null resets one. */
  set(settings: Readonly<Record<string, string | null>>): Promise<void>;
  start(): void;
  stop(mode: 'fast' | 'immediate'): void;
  /** Stops all its processes with SIGSTOP: the kernel accepts connections, but nothing is answered. */
  freeze(): Promise<void>;
  thaw(): void;
  destroy(): void;
}

/** The location of a server. */
export interface PostgresPlace {
  /** The directory of its programs. */
  readonly bin: string;
  readonly data: string;
  readonly port: number;
}

/** If the tests run as root, PostgreSQL's programs run as the user nobody. */
const NOBODY = process.geteuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/**
 * Starts a server with these programs, or those in TEST_POSTGRES_BIN, or the embedded ones.
 * @param directory for its files, if they must not be in a new temporary directory
 */
export async function startPrivatePostgres(
  programs = process.env['TEST_POSTGRES_BIN'],
  directory = mkdtempSync(join(tmpdir(), 'offertory-pg-')),
): Promise<PrivatePostgres> {
  chmodSync(directory, 0o755);
  const bin = programs ?? join(await embeddedPrograms(directory), 'bin');
  const data = join(directory, 'database');
  mkdirSync(data, { mode: 0o700 });
  if (NOBODY.uid !== undefined) chownSync(data, NOBODY.uid, NOBODY.gid);
  const port = await freePort();
  runPostgres(
    bin,
    'initdb',
    '-D',
    data,
    '-U',
    'postgres',
    '--auth=trust',
    '--encoding=UTF8',
    '--locale=C',
    '--no-sync',
  );
  const server = privateServer({ bin, data, port });
  server.start();
  return {
    ...server,
    destroy: () => {
      server.destroy();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** The existing server in this place, not started yet. */
export function privateServer(place: PostgresPlace): PrivatePostgres {
  const { bin, data, port } = place;
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c max_connections=60`;
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  let frozen: readonly number[] = [];
  const thaw = (): void => {
    for (const pid of frozen) process.kill(pid, 'SIGCONT');
    frozen = [];
  };
  return {
    place,
    url,
    query: (text, values) => queryOnce(url, text, values),
    set: (settings) => set(url, settings),
    start: () => {
      runPostgres(bin, 'pg_ctl', 'start', '-w', '-D', data, '-l', join(data, 'server.log'), '-o', options);
    },
    stop: (mode) => runPostgres(bin, 'pg_ctl', 'stop', '-w', '-D', data, '-m', mode),
    freeze: async () => void (frozen = await freeze(url, data)),
    thaw,
    destroy: () => {
      thaw();
      spawnSync(join(bin, 'pg_ctl'), ['stop', '-D', data, '-m', 'immediate'], { ...NOBODY, cwd: '/', stdio: 'ignore' });
    },
  };
}

async function set(url: string, settings: Readonly<Record<string, string | null>>): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    // The previous settings may have made this session read-only.
    await client.query('SET default_transaction_read_only = off');
    for (const [name, value] of Object.entries(settings)) {
      const to = value === null ? `RESET ${name}` : `SET ${name} = ${client.escapeLiteral(value)}`;
      await client.query(`ALTER SYSTEM ${to}`);
    }
    const { rows } = await client.query<{ at: Date }>('SELECT clock_timestamp() AS at, pg_reload_conf()');
    const loaded = async (): Promise<boolean> =>
      (await client.query<{ loaded: boolean }>('SELECT pg_conf_load_time() >= $1 AS loaded', [rows[0]?.at])).rows[0]
        ?.loaded === true;
    while (!(await loaded())) await sleep(20);
  } finally {
    await client.end();
  }
}

/** Runs a program of PostgreSQL to its end. @throws Error with its output if it fails. */
export function runPostgres(bin: string, name: string, ...args: string[]): void {
  const { status, stderr, error } = spawnSync(join(bin, name), args, {
    ...NOBODY,
    cwd: '/',
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { LC_ALL: 'C', PATH: '/usr/bin:/bin' },
    encoding: 'utf8',
  });
  if (status !== 0) throw error ?? new Error(`${name} failed: ${stderr}`);
}

/** Uses a new connection each time: an open one would not survive what tests do to the server. */
async function queryOnce<Row>(url: string, text: string, values: readonly unknown[] = []): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(text, [...values])).rows as Row[];
  } finally {
    await client.end();
  }
}

/** Stops the postmaster first, so that it starts no new process. @returns the ids of the stopped processes. */
async function freeze(url: string, data: string): Promise<number[]> {
  const client = new Client({ connectionString: url });
  // The backend of this connection is stopped, too, so the end of the connection is not awaited.
  client.on('error', () => undefined);
  await client.connect();
  const postmaster = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n', 1)[0]);
  process.kill(postmaster, 'SIGSTOP');
  const { rows } = await client.query<{ pid: number }>('SELECT pid FROM pg_stat_activity');
  const pids = [postmaster, ...rows.map(({ pid }) => pid)];
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  void client.end().catch(() => undefined);
  return pids;
}

async function embeddedPrograms(directory: string): Promise<string> {
  return installPrograms(await findPlatformPackage(), directory, () => undefined);
}
