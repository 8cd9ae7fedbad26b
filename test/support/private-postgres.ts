import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { findPlatformPackage, installPrograms } from '../../src/database/embedded/platform-package.js';
import { freePort } from './free-port.js';
import type { Ledger } from './ledger-invariants.js';

/** A PostgreSQL server of one test file alone, to be stopped and started as the test likes. */
export interface PrivatePostgres extends Ledger {
  readonly url: string;
  /** Sets server settings by ALTER SYSTEM and waits until they hold; null takes one back. */
  set(settings: Readonly<Record<string, string | null>>): Promise<void>;
  /** Makes a standby of it by pg_basebackup, and starts that. */
  startStandby(): Promise<Standby>;
  start(): void;
  stop(mode: 'fast' | 'immediate'): void;
  /** Holds all its processes where they are: it takes connections and statements, and says nothing. */
  freeze(): Promise<void>;
  thaw(): void;
  destroy(): void;
}

/** A server that follows another one. */
export interface Standby extends Ledger {
  readonly url: string;
  /** Makes it a primary. */
  promote(): void;
  destroy(): void;
}

/** Whether there are the programs to make a standby: those that the product brings along lack pg_basebackup. */
export function canMakeStandby(programs = process.env['TEST_POSTGRES_BIN']): boolean {
  return programs !== undefined && existsSync(join(programs, 'pg_basebackup'));
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
  run(bin, 'initdb', '-D', data, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync');
  const start = (): void => {
    run(bin, 'pg_ctl', 'start', '-w', '-D', data, '-l', join(data, 'server.log'), '-o', optionsOf(port));
  };
  start();
  const url = urlOf(port);
  let frozen: readonly number[] = [];
  const thaw = (): void => {
    for (const pid of frozen) process.kill(pid, 'SIGCONT');
    frozen = [];
  };
  return {
    url,
    query: (text, values) => queryOnce(url, text, values),
    set: (settings) => set(url, settings),
    startStandby: () => startStandby(bin, directory, url),
    start,
    stop: (mode) => run(bin, 'pg_ctl', 'stop', '-w', '-D', data, '-m', mode),
    freeze: async () => void (frozen = await freeze(url, data)),
    thaw,
    destroy: () => {
      thaw();
      stopNow(bin, data);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

async function startStandby(bin: string, directory: string, primary: string): Promise<Standby> {
  const data = join(directory, 'standby');
  const port = await freePort();
  mkdirSync(data, { mode: 0o700 });
  if (NOBODY.uid !== undefined) chownSync(data, NOBODY.uid, NOBODY.gid);
  run(bin, 'pg_basebackup', '-D', data, '-d', primary, '-R', '-X', 'stream', '-c', 'fast');
  run(bin, 'pg_ctl', 'start', '-w', '-D', data, '-l', join(data, 'server.log'), '-o', optionsOf(port));
  const url = urlOf(port);
  return {
    url,
    query: (text, values) => queryOnce(url, text, values),
    promote: () => run(bin, 'pg_ctl', 'promote', '-w', '-D', data),
    destroy: () => stopNow(bin, data),
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

function optionsOf(port: number): string {
  return `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c max_connections=60`;
}

function urlOf(port: number): string {
  return `postgres://postgres@127.0.0.1:${port}/postgres`;
}

function stopNow(bin: string, data: string): void {
  spawnSync(join(bin, 'pg_ctl'), ['stop', '-D', data, '-m', 'immediate'], { ...NOBODY, cwd: '/', stdio: 'ignore' });
}

function run(bin: string, name: string, ...args: string[]): void {
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
