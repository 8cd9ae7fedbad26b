import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { open, readFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { renameDurably } from '../../durable-files/index.js';
import type { DataDir } from '../data-dir/data-dir.js';
import type { DataDirLock } from '../data-dir/data-dir-lock.js';
import { socketDirectory } from '../data-dir/private-directory.js';

/** How clients reach the server: by a socket that is private to its user, or a port of 127.0.0.1 with a password. */
export type Transport = 'socket' | 'loopback';

/** The file that the cluster's postgresql.conf includes. */
export const SETTINGS_FILE = 'offertory.conf';

/** Marks a server that was started with the lock. Earlier versions of this program had no lock. */
const STARTED_WITH_LOCK = '# The processes of this server hold the lock of the data directory.\n';

/** In a file, because pg_ctl passes --options through a shell, and quoting differs by platform. */
const SETTINGS = {
  unix_socket_permissions: '0700',
  max_connections: '100',
  cluster_name: 'offertory',
  timezone: 'UTC',
  log_timezone: 'UTC',
  logging_collector: 'off',
  log_checkpoints: 'off',
  // These keep givers' data out of the log: statements, parameters, DETAIL ("Key (email)=…") and errors of statements,
  // whose text may quote a value. The client gets the errors. The levels fatal and log are still logged.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_parameter_max_length: '0',
  log_parameter_max_length_on_error: '0',
};

/** Writes the settings for the next start of the server. */
export async function writeSettings(dataDir: DataDir, transport: Transport, lock: DataDirLock): Promise<void> {
  const place =
    transport === 'socket'
      ? // An item of a list, in double quotes because a path may contain a comma.
        { listen_addresses: '', port: '5432', unix_socket_directories: `"${await socketDirectory(dataDir)}"` }
      : { listen_addresses: '127.0.0.1', port: String(await loopbackPort(dataDir)), unix_socket_directories: '' };
  const lines = Object.entries({ ...SETTINGS, ...place }).map(([name, value]) => `${name} = ${quoted(value)}\n`);
  await replaceFile(dataDir, (lock.descriptor === undefined ? '' : STARTED_WITH_LOCK) + lines.join(''));
}

/** True when the server was last started with the lock. If the lock is free, that server has ended. */
export async function wasStartedWithLock(dataDir: DataDir): Promise<boolean> {
  return (await readFile(settingsFile(dataDir), 'utf8').catch(() => '')).startsWith(STARTED_WITH_LOCK);
}

function settingsFile({ cluster }: DataDir): string {
  return join(cluster, SETTINGS_FILE);
}

function quoted(value: string): string {
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}

/** The port of the last start if it is free, so that clients of a server that crashed can reach the next one. */
async function loopbackPort(dataDir: DataDir): Promise<number> {
  const last = await readFile(settingsFile(dataDir), 'utf8').catch(() => '');
  if (last.includes("listen_addresses = '127.0.0.1'")) {
    const port = Number(/^port = '(\d+)'$/m.exec(last)?.[1]);
    const free = await portIfFree(port).catch(() => undefined);
    if (free !== undefined) return free;
  }
  return portIfFree(0);
}

async function portIfFree(port: number): Promise<number> {
  const probe = createServer();
  try {
    probe.listen(port, '127.0.0.1');
    await once(probe, 'listening');
    return (probe.address() as AddressInfo).port;
  } finally {
    probe.close();
  }
}

/** Uses a new file and a rename, because without locks two processes may do this at the same time. */
async function replaceFile(dataDir: DataDir, text: string): Promise<void> {
  const path = settingsFile(dataDir);
  const temporary = `${path}.${randomUUID()}`;
  const handle = await open(temporary, 'wx', 0o600);
  try {
    if (dataDir.user !== undefined) await handle.chown(dataDir.user.uid, dataDir.user.gid);
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await renameDurably(temporary, path);
}
