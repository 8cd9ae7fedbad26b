import { chmodSync, chownSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cp, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { until } from '../../../test/support/until.js';
import { type DataDir, enterDataDir } from '../data-dir/data-dir.js';
import { takeDataDirLock } from '../data-dir/data-dir-lock.js';
import { type EmbeddedDatabase, openEmbeddedDatabase } from '../embedded-database.js';
import { takeLease } from './lease.js';
import { findPlatformPackage } from '../programs/platform-package.js';
import { readPostmasterFile, readProcessId } from '../cluster/postmaster-file.js';
import { Server } from './server.js';
import { type StartOutcome, startUnlessRunning } from './start-unless-running.js';

/** flock(1) and /proc exist only on Linux. Elsewhere PostgreSQL's own checks replace them. */
const onLinux = process.platform === 'linux' ? it : it.skip;

let root: string;
let ours: DataDir;
let theirs: DataDir;
let log: string[];
const opened = new Set<EmbeddedDatabase>();

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'offertory-start-'));
  chmodSync(root, 0o755);
  await (await open(join(root, 'ours'))).close();
  ours = await enterDataDir(join(root, 'ours'), () => undefined);
  await mkdir(join(root, 'theirs'), { mode: 0o755 });
  theirs = await enterDataDir(join(root, 'theirs'), () => undefined);
  await cp(ours.cluster, theirs.cluster, { recursive: true });
});
afterEach(async () => {
  await Promise.all([...opened].map((database) => database.close()));
  opened.clear();
});
afterAll(() => {
  rmSync(root, { recursive: true, force: true });
});

async function open(dataDir: string): Promise<EmbeddedDatabase> {
  const lines: string[] = [];
  log = lines;
  const database = await openEmbeddedDatabase({ dataDir, log: (line) => lines.push(line) });
  opened.add(database);
  return database;
}

async function attempt(): Promise<StartOutcome> {
  const server = new Server(ours, await findPlatformPackage(), () => undefined);
  return startUnlessRunning(server, 'socket', () => undefined);
}

const postmasterFile = ({ cluster }: DataDir): string => join(cluster, 'postmaster.pid');

/** Writes a postmaster.pid like one of a killed server. */
function leaveBehind(processId: string, socketDirectory: string): void {
  const lines = [processId, ours.cluster, '1700000000', '5432', socketDirectory, '', '  1 2', 'ready   ', ''];
  writeFileSync(postmasterFile(ours), lines.join('\n'), { mode: 0o600 });
  if (ours.user !== undefined) chownSync(postmasterFile(ours), ours.user.uid, ours.user.gid);
}

describe('the embedded database is not started', () => {
  onLinux('while its lock is held', async () => {
    const lock = await takeDataDirLock(ours);
    expect(await takeDataDirLock(ours)).toBeUndefined();
    expect(await attempt()).toEqual({ obstacle: expect.stringContaining('holds its lock') });
    expect(existsSync(postmasterFile(ours))).toBe(false);
    await lock?.release();
    await open(ours.path);
    expect(log).toEqual([expect.stringContaining('Started PostgreSQL')]);
  });

  onLinux('while one of its processes is alive', async () => {
    await open(ours.path);
    expect(await takeDataDirLock(ours)).toBeUndefined();
    for (const database of opened) await database.close();
    // The process ends shortly after it has removed its postmaster.pid.
    await until(async () => {
      const lock = await takeDataDirLock(ours);
      await lock?.release();
      return lock !== undefined;
    });
  });

  onLinux('if an old version may have started it in a container whose socket is not on the volume', async () => {
    const settings = join(ours.cluster, 'offertory.conf');
    const underLock = readFileSync(settings, 'utf8');
    expect(underLock).toMatch(/^# The processes of this server hold the lock/);
    leaveBehind('999999', '/tmp/offertory-elsewhere');
    writeFileSync(settings, underLock.replace(/^#.*\n/, ''));
    expect(await attempt()).toEqual({ obstacle: expect.stringContaining('an earlier version') });
    expect(existsSync(postmasterFile(ours))).toBe(true);
    writeFileSync(settings, underLock);
    await open(ours.path);
    expect(log).toEqual([expect.stringContaining('Started PostgreSQL')]);
  });
});

describe('another PostgreSQL', () => {
  it('is not mistaken for ours if it listens at our address', async () => {
    const other = await open(theirs.path);
    leaveBehind(String(readProcessId(theirs.cluster)), other.connection.host);
    const file = await readPostmasterFile(ours);
    expect(await takeLease({ ...other.connection, database: 'postgres' }, file?.identity ?? '')).toBeUndefined();
    rmSync(postmasterFile(ours));
  });

  onLinux('with our old process id does not prevent ours from starting', async () => {
    const other = await open(theirs.path);
    leaveBehind(String(readProcessId(theirs.cluster)), join(ours.path, 'run'));
    await open(ours.path);
    expect(log).toEqual([
      expect.stringContaining('postmaster.pid, which a server that has ended left behind'),
      expect.stringContaining('Started PostgreSQL'),
    ]);
    const client = new Client({ ...other.connection, ssl: false });
    await client.connect();
    await client.end();
  });
});

it('restarts when it is stopped while in use, even if others are connected', async () => {
  const { connection } = await open(ours.path);
  const idle = new Client({ ...connection, ssl: false });
  idle.on('error', () => undefined);
  await idle.connect();
  process.kill(readProcessId(ours.cluster) ?? NaN, 'SIGTERM');
  await until(() => log.at(-1)?.startsWith('Started') === true && log.length > 2);
  expect(log).toContainEqual(expect.stringContaining('told to stop while in use'));
  const again = new Client({ ...connection, ssl: false });
  await again.connect();
  await again.end();
});
