import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { findPlatformPackage, installPrograms } from '../../src/embedded-postgres/programs/platform-package.js';
import { freePort } from './free-port.js';
import type { Ledger } from './ledger-invariants.js';

/** A PostgreSQL server of one test file alone, to be stopped and started as the test likes. */
export interface PrivatePostgres extends Ledger {
  readonly place: PostgresPlace;
  readonly url: string;
  /** Sets server settings by ALTER SYSTEM and waits until they hold; null takes one back. */
  set(settings: Readonly<Record<string, string | null>>): Promise<void>;
  start(): void;
  stop(mode: 'fast' | 'immediate'): void;
  /** Holds all its processes where they are: it takes connections and statements, and says nothing. */
  freeze(): Promise<void>;
  thaw(): void;
  destroy(): void;
}

/** Where a server of a test is. */
export interface PostgresPlace {
  /** The directory of its programs. */
  readonly bin: string;
  readonly data: string;
  readonly port: number;
}

/** As root, PostgreSQL's programs run as nobody. */
const NOBODY = process.geteuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/**
 * Starts a server with these programs; otherwise those in TEST_POSTGRES_BIN, or those that the product brings along.
 * @param directory for its files, if they have to be somewhere else than among the temporary files
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

/** The server in this place, which there is and which does not run yet. */
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
    // In each case as a fresh session sees it, and whatever a setting of the last one does to this.
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

/** Runs a program of PostgreSQL to its end. @throws Error with what it said when it failed. */
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

/** On a connection of its own: none that stays open would outlive what is done to the server. */
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

/** The postmaster first, so that it starts no further process. @returns whom to wake again. */
async function freeze(url: string, data: string): Promise<number[]> {
  const client = new Client({ connectionString: url });
  // It is among those that are held, so its end is not awaited.
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
