import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPlatformPackage, installPrograms } from '../../src/database/embedded/platform-package.js';

/** A PostgreSQL server of one test file alone, to be stopped and started as the test likes. */
export interface PrivatePostgres {
  readonly url: string;
  start(): void;
  stop(mode: 'fast' | 'immediate'): void;
  destroy(): void;
}

/** As root, PostgreSQL's programs run as nobody. */
const NOBODY = process.geteuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** Starts a server with the programs in TEST_POSTGRES_BIN, or those that the product brings along. */
export async function startPrivatePostgres(): Promise<PrivatePostgres> {
  const directory = mkdtempSync(join(tmpdir(), 'offertory-pg-'));
  chmodSync(directory, 0o755);
  const bin = process.env['TEST_POSTGRES_BIN'] ?? join(await embeddedPrograms(directory), 'bin');
  const data = join(directory, 'database');
  mkdirSync(data, { mode: 0o700 });
  if (NOBODY.uid !== undefined) chownSync(data, NOBODY.uid, NOBODY.gid);
  const port = await freePort();
  const program = (name: string, ...args: string[]): void => {
    const { status, stderr, error } = spawnSync(join(bin, name), args, {
      ...NOBODY,
      cwd: '/',
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { LC_ALL: 'C', PATH: '/usr/bin:/bin' },
      encoding: 'utf8',
    });
    if (status !== 0) throw error ?? new Error(`${name} failed: ${stderr}`);
  };
  program('initdb', '-D', data, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync');
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c max_connections=60`;
  const start = (): void => program('pg_ctl', 'start', '-w', '-D', data, '-l', join(data, 'server.log'), '-o', options);
  start();
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    start,
    stop: (mode) => program('pg_ctl', 'stop', '-w', '-D', data, '-m', mode),
    destroy: () => {
      spawnSync(join(bin, 'pg_ctl'), ['stop', '-D', data, '-m', 'immediate'], { ...NOBODY, cwd: '/', stdio: 'ignore' });
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

async function embeddedPrograms(directory: string): Promise<string> {
  return installPrograms(await findPlatformPackage(), directory, () => undefined);
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
