import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { freePort } from './free-port.js';
import { until } from './until.js';

/** Whether PgBouncer is installed; the tests of connection poolers are skipped without it. */
export const pgbouncerIsThere = spawnSync('pgbouncer', ['--version']).status === 0;

export type PoolMode = 'session' | 'transaction' | 'statement';

/** A PgBouncer of one test. */
export interface PgBouncer {
  /** The URL of the database through PgBouncer. */
  readonly url: string;
  stop(): void;
}

const started = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of started) child.kill('SIGKILL');
});

/**
 * Starts PgBouncer in front of the PostgreSQL at this URL, reached by TCP or a socket.
 * @param settings more settings of the section [pgbouncer]
 */
export async function startPgBouncer(
  databaseUrl: string,
  mode: PoolMode,
  settings: Readonly<Record<string, string>> = {},
): Promise<PgBouncer> {
  const { hostname, port, pathname, username, password, searchParams } = new URL(databaseUrl);
  const database = pathname.slice(1);
  const host = searchParams.get('host') ?? hostname;
  const directory = mkdtempSync(join(tmpdir(), 'offertory-pgbouncer-'));
  // PgBouncer refuses to run as root: then another user reads this directory.
  chmodSync(directory, 0o755);
  const listenPort = await freePort();
  const target = [`host=${host}`, `port=${port === '' ? '5432' : port}`, `dbname=${database}`, `user=${username}`];
  if (password !== '') target.push(`password=${decodeURIComponent(password)}`);
  const lines = Object.entries({
    listen_addr: '127.0.0.1',
    listen_port: String(listenPort),
    unix_socket_dir: '',
    auth_type: 'any',
    pool_mode: mode,
    ...settings,
  }).map(([name, value]) => `${name} = ${value}`);
  const file = join(directory, 'pgbouncer.ini');
  writeFileSync(file, ['[databases]', `${database} = ${target.join(' ')}`, '[pgbouncer]', ...lines, ''].join('\n'));
  const user = process.geteuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const child = spawn('pgbouncer', ['-q', file], { ...user, cwd: '/', stdio: 'ignore' });
  started.add(child);
  const url = `postgres://${username}@127.0.0.1:${listenPort}/${database}`;
  await until(() => answers(url));
  return {
    url,
    stop: () => {
      child.kill('SIGKILL');
      started.delete(child);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

async function answers(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SELECT');
    return true;
  } catch {
    return false;
  } finally {
    await client.end();
  }
}
