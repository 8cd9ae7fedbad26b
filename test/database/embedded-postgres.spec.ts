import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, chown, cp, mkdir, mkdtemp, readdir, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { until } from '../support/until.js';
import { type EmbeddedDatabase, openEmbeddedDatabase } from '../../src/embedded-postgres/embedded-database.js';
import { readProcessId } from '../../src/embedded-postgres/cluster/postmaster-file.js';
import { blockingDirectory, serverUser } from '../../src/embedded-postgres/data-dir/server-user.js';

const isRoot = process.geteuid?.() === 0;
const NOBODY = 65_534;
const nobody = { name: 'nobody', uid: NOBODY, gid: NOBODY };
/** Other users can run the service's code only if they may enter its checkout. */
const othersMayRunIt = isRoot && blockingDirectory(process.cwd(), nobody) === undefined;

let root: string;
let log: string[];
const opened = new Set<EmbeddedDatabase>();
const dataDirs = new Set<string>();
const children = new Set<ChildProcess>();

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'offertory-embedded-'));
  await chmod(root, 0o755);
  await copyForChildren();
});

afterEach(async () => {
  // The databases of a failed test would restart their server forever.
  await Promise.all([...opened].map((database) => database.close().catch(() => undefined)));
  opened.clear();
  for (const child of children) child.kill('SIGKILL');
  children.clear();
  for (const dataDir of dataDirs) killServer(dataDir, 'SIGQUIT');
});

afterAll(async () => {
  for (const dataDir of dataDirs) await until(() => serverId(dataDir) === undefined || !killServer(dataDir, 0));
  await rm(root, { recursive: true, force: true });
});

describe('the embedded database', () => {
  it('is created at the first open, keeps its data, and is stopped when closed', async () => {
    const dataDir = directory('first');
    const first = await open(dataDir);
    expect(first.connection.database).toBe('offertory');
    expect(log).toEqual([
      expect.stringContaining('copying PostgreSQL 18'),
      expect.stringContaining('creating a new database'),
      expect.stringContaining('Started PostgreSQL'),
    ]);
    await query(first, 'CREATE TABLE kept AS SELECT 1 AS one');
    await first.close();
    await first.close();
    expect(serverId(dataDir)).toBeUndefined();

    const again = await open(dataDir);
    expect(log).toEqual([expect.stringContaining('Started PostgreSQL')]);
    expect(again.connection).toEqual(first.connection);
    expect(await query(again, 'SELECT one FROM kept')).toEqual([{ one: 1 }]);
    await again.close();
    expect(log.at(-1)).toContain('Stopped PostgreSQL');
    expect((await readdir(dataDir)).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('writes commits to the disk, and no personal data to its log', async () => {
    const dataDir = directory('first');
    const database = await open(dataDir);
    expect(await query(database, 'SHOW fsync')).toEqual([{ fsync: 'on' }]);
    expect(await query(database, 'SHOW synchronous_commit')).toEqual([{ synchronous_commit: 'on' }]);
    await query(database, 'CREATE TABLE mail (address text PRIMARY KEY)');
    await query(database, "INSERT INTO mail VALUES ('ann@example.org')");
    await expect(query(database, "INSERT INTO mail VALUES ('ann@example.org')")).rejects.toThrow('duplicate key');
    await expect(query(database, "SELECT 'ann@example.org'::int")).rejects.toThrow('invalid input syntax');
    await database.close();
    expect(readFileSync(join(dataDir, 'log', 'postgresql.log'), 'utf8')).not.toContain('ann@');
  });

  it('keeps running while another user has it open, and is stopped by the last one', async () => {
    const dataDir = directory('first');
    const one = await open(dataDir);
    const other = await open(dataDir);
    expect(log).toEqual([expect.stringContaining('Joined the running PostgreSQL')]);
    log = one.log;
    await one.close();
    expect(log.at(-1)).toContain('because others use it');
    expect(await query(other, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await other.close();
    expect(serverId(dataDir)).toBeUndefined();
  });

  it('keeps running for a client that only connects', async () => {
    const dataDir = directory('first');
    const database = await open(dataDir);
    const client = new Client({ ...database.ownerConnection, ssl: false });
    await client.connect();
    await database.close();
    expect(log.at(-1)).toContain('because others use it');
    await client.end();
    await (await open(dataDir)).close();
    expect(serverId(dataDir)).toBeUndefined();
  });

  it('is one server for two processes that open a directory simultaneously, when it is empty and later', async () => {
    const dataDir = directory('at-once');
    for (let round = 0; round < 3; round++) {
      const openers = [await startOpener(dataDir), await startOpener(dataDir)] as const;
      const answers = await Promise.all(openers.map(answerOf));
      expect(answers.map(({ error }) => error)).toEqual([undefined, undefined]);
      const lines = answers.flatMap((answer) => answer.log);
      expect(lines.filter((line) => line.startsWith('Started'))).toHaveLength(1);
      expect(lines.filter((line) => line.startsWith('Joined'))).toHaveLength(1);
      await Promise.all(openers.map(closeOpener));
      expect(serverId(dataDir)).toBeUndefined();
    }
    expect((await readdir(dataDir)).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('can be joined after the process that started it was killed', async () => {
    const dataDir = directory('first');
    const opener = await startOpener(dataDir);
    await answerOf(opener);
    const before = serverId(dataDir);
    await killed(opener);
    const database = await open(dataDir);
    expect(log).toEqual([expect.stringContaining('Joined the running PostgreSQL')]);
    expect(serverId(dataDir)).toBe(before);
    await database.close();
    expect(serverId(dataDir)).toBeUndefined();
  });

  it('starts with the leftover files after all processes were killed', async () => {
    const dataDir = directory('first');
    const opener = await startOpener(dataDir);
    await answerOf(opener);
    await killed(opener);
    const before = serverId(dataDir);
    killServer(dataDir, 'SIGKILL');
    const database = await open(dataDir);
    expect(log.at(-1)).toContain('Started PostgreSQL');
    expect(serverId(dataDir)).not.toBe(before);
    await database.close();
  });

  it('starts even if its old process id now belongs to another program', async () => {
    const dataDir = directory('first');
    await (await open(dataDir)).close();
    // It runs as the server's user, because PostgreSQL ignores ids of processes that it may not signal.
    const user = serverUser(dataDir);
    const stranger = fork(join(root, 'sleeper.mjs'), { cwd: '/', execArgv: [], ...(user && ids(user.uid, user.gid)) });
    children.add(stranger);
    await once(stranger, 'message');
    const file = join(dataDir, 'database', 'postmaster.pid');
    const socket = join(dataDir, 'run');
    await writeFile(
      file,
      `${stranger.pid ?? ''}\n${dataDir}/database\n1700000000\n5432\n${socket}\n\n  1 2\nready   \n`,
    );
    if (user !== undefined) await chown(file, user.uid, user.gid);
    const database = await open(dataDir);
    expect(log).toEqual([
      expect.stringContaining('postmaster.pid, which a server that has ended left'),
      expect.stringContaining('Started PostgreSQL'),
    ]);
    expect(stranger.exitCode).toBeNull();
    await database.close();
  });

  it('is restarted after a crash for a process that still uses it', async () => {
    const dataDir = directory('first');
    const database = await open(dataDir);
    const lines = log;
    killServer(dataDir, 'SIGKILL');
    await until(() => lines.at(-1)?.startsWith('Started') === true && lines.length > 2);
    expect(await query(database, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await database.close();
    expect(serverId(dataDir)).toBeUndefined();
  });

  it('closes without an error when the server is gone', async () => {
    const dataDir = directory('first');
    const database = await open(dataDir);
    killServer(dataDir, 'SIGKILL');
    await database.close();
    await (await open(dataDir)).close();
  });

  it('listens on a loopback port with a password if there are no sockets', async () => {
    const dataDir = directory('loopback');
    const database = await open(dataDir, 'loopback');
    const { host, password, port } = database.ownerConnection;
    expect({ host, password }).toEqual({ host: '127.0.0.1', password: expect.stringMatching(/^[\w-]{32}$/) });
    const service = new Client({ ...database.connection, ssl: false });
    await service.connect();
    await service.end();
    expect(database.connection.password).not.toBe(password);
    expect((await stat(join(dataDir, 'database', 'offertory.password'))).mode & 0o777).toBe(0o600);
    for (const connection of [database.connection, database.ownerConnection]) {
      const stranger = new Client({ ...connection, password: 'guess', ssl: false });
      await expect(stranger.connect()).rejects.toThrow('password authentication failed');
    }

    const joined = await open(dataDir, 'socket');
    expect(joined.connection).toEqual(database.connection);
    await database.close();
    await joined.close();
    const again = await open(dataDir, 'loopback');
    expect(again.connection.port).toBe(port);
    await again.close();
    const bySocket = await open(dataDir, 'socket');
    expect(bySocket.connection.host).toBe(join(dataDir, 'run'));
    await bySocket.close();
  });

  it('has its socket in the temp directory if its own path is too long, but only in a private directory', async () => {
    const dataDir = directory(join('long', 'x'.repeat(80)));
    const database = await open(dataDir);
    const { host } = database.connection;
    expect(host.startsWith(join(tmpdir(), 'offertory-'))).toBe(true);
    expect((await stat(host)).mode & 0o777).toBe(0o700);
    expect(await query(database, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await database.close();
    await chmod(host, 0o755);
    await expect(open(dataDir)).rejects.toThrow(`The directory ${host} for PostgreSQL's socket or log is open to`);
    await rm(host, { recursive: true });
    await symlink(root, host);
    await expect(open(dataDir)).rejects.toThrow(`${host} for PostgreSQL's socket or log is not a directory`);
    await rm(host);
  });

  it('stores UTF-8 in any locale of its creator, under a path with spaces', async () => {
    const dataDir = directory("wine & 'bread', Ökumene");
    const opener = await startOpener(dataDir, { env: { LANG: 'POSIX', LC_ALL: 'C', PGCLIENTENCODING: 'LATIN1' } });
    expect((await answerOf(opener)).error).toBeUndefined();
    const database = await open(dataDir);
    expect(await query(database, 'SHOW server_encoding')).toEqual([{ server_encoding: 'UTF8' }]);
    expect(
      await query(
        database,
        'SELECT datname, datlocprovider, datlocale FROM pg_database WHERE datname = current_database()',
      ),
    ).toEqual([{ datname: 'offertory', datlocprovider: 'b', datlocale: 'C.UTF-8' }]);
    expect(await query(database, "SELECT lower('ÄÖÜ') AS small")).toEqual([{ small: 'äöü' }]);
    await closeOpener(opener);
    await database.close();
  });

  (othersMayRunIt ? it : it.skip)('runs as the ordinary user who created it, also when root starts it', async () => {
    const home = directory('home');
    await mkdir(home, { mode: 0o700 });
    await chown(home, NOBODY, NOBODY);
    const dataDir = directory(join('home', 'data'));
    const opener = await startOpener(dataDir, ids(NOBODY, NOBODY));
    expect((await answerOf(opener)).error).toBeUndefined();
    await closeOpener(opener);
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
    const asRoot = await open(dataDir);
    expect((await stat(join(dataDir, 'database', 'postmaster.pid'))).uid).toBe(NOBODY);
    await asRoot.close();
    await (
      await restarted(dataDir, ids(NOBODY, NOBODY))
    )();
    const stranger = await startOpener(directory('first'), ids(NOBODY - 1, NOBODY - 1));
    expect((await answerOf(stranger)).error).toMatch(/belongs to another user|cannot be prepared/);
  });

  (isRoot ? it : it.skip)('opens a cluster that was restored with root as its owner', async () => {
    const dataDir = directory('first');
    await (await open(dataDir)).close();
    for (const path of [
      'database',
      ...(await readdir(join(dataDir, 'database'))).map((name) => join('database', name)),
    ]) {
      await chown(join(dataDir, path), 0, 0);
    }
    await (await open(dataDir)).close();
    expect(log[0]).toContain('to the user');
    expect(log[1]).toContain('Started PostgreSQL');
    // Like a volume whose top directory is given to root at each start. Changed files would look like restored ones.
    const version = join(dataDir, 'database', 'PG_VERSION');
    const { ctimeMs } = await stat(version);
    await chown(join(dataDir, 'database'), 0, 0);
    await (await open(dataDir)).close();
    expect((await stat(version)).ctimeMs).toBe(ctimeMs);
  });

  it('removes leftovers of a killed first start, but not those of a running one', async () => {
    const dataDir = directory('first');
    const [old, young] = [join(dataDir, '.preparing-old'), join(dataDir, '.preparing-young')];
    for (const path of [old, young]) await mkdir(join(path, 'content'), { recursive: true });
    const anHourAgo = Date.now() / 1000 - 3600;
    await utimes(old, anHourAgo, anHourAgo);
    await (await open(dataDir)).close();
    expect([existsSync(old), existsSync(young)]).toEqual([false, true]);
    await rm(young, { recursive: true });
  });

  it('explains what to do with a cluster of another version or an invalid one', async () => {
    const dataDir = directory('first');
    const version = join(dataDir, 'database', 'PG_VERSION');
    await writeFile(version, '17\n');
    await expect(open(dataDir)).rejects.toThrow(/created by PostgreSQL 17.*Dump it/s);
    await rm(version);
    await expect(open(dataDir)).rejects.toThrow('is not a PostgreSQL cluster');
    await writeFile(version, '18\n');
  });

  it('shows the end of the log when the server cannot start', async () => {
    const dataDir = directory('first');
    const broken = join(dataDir, 'database', 'postgresql.auto.conf');
    const before = readFileSync(broken, 'utf8');
    await writeFile(broken, `${before}nonsense = 'on'\n`);
    await expect(open(dataDir)).rejects.toThrow('unrecognized configuration parameter "nonsense"');
    await writeFile(broken, before);
  });
});

function directory(name: string): string {
  const path = join(root, name);
  dataDirs.add(path);
  return path;
}

async function open(dataDir: string, transport?: 'socket' | 'loopback'): Promise<EmbeddedDatabase & { log: string[] }> {
  const lines: string[] = [];
  log = lines;
  const database = await openEmbeddedDatabase({
    dataDir,
    log: (line) => lines.push(line),
    ...(transport && { transport }),
  });
  opened.add(database);
  return { ...database, log: lines };
}

async function query(database: EmbeddedDatabase, sql: string): Promise<unknown[]> {
  const client = new Client({ ...database.ownerConnection, ssl: false });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

function serverId(dataDir: string): number | undefined {
  return readProcessId(join(dataDir, 'database'));
}

/** Returns false if there is no such process. */
function killServer(dataDir: string, signal: NodeJS.Signals | 0): boolean {
  const id = serverId(dataDir);
  try {
    return id !== undefined && process.kill(id, signal);
  } catch {
    return false;
  }
}

interface Answer {
  error?: string;
  log: string[];
}

const OPENER = `
import { openEmbeddedDatabase } from './code/src/embedded-postgres/index.js';
const log = [];
try {
  const database = await openEmbeddedDatabase({ dataDir: process.argv[2], log: (line) => log.push(line) });
  process.on('message', async () => {
    await database.close();
    process.disconnect();
  });
  process.send({ log });
} catch (error) {
  process.send({ error: error.message, log });
  process.disconnect();
}
`;

/** Copies the result of `npm run build` to a directory that other users may enter, for child processes. */
async function copyForChildren(): Promise<void> {
  const code = join(root, 'code');
  await cp(join(process.cwd(), 'dist'), code, { recursive: true });
  // Independent of the umask.
  execFileSync('chmod', ['-R', 'a+rX', code]);
  await publish(join(code, 'package.json'), '{ "type": "module" }');
  await symlink(join(process.cwd(), 'node_modules'), join(root, 'node_modules'));
  await publish(join(root, 'opener.mjs'), OPENER);
  await publish(join(root, 'sleeper.mjs'), "process.on('message', () => undefined); process.send('here');");
}

/** Writes a file that the users of child processes can read, independent of the umask. */
async function publish(path: string, text: string): Promise<void> {
  await writeFile(path, text);
  await chmod(path, 0o644);
}

interface OpenerOptions {
  env?: NodeJS.ProcessEnv;
  uid?: number;
  gid?: number;
}

function ids(uid: number, gid: number): OpenerOptions {
  return { uid, gid };
}

async function startOpener(dataDir: string, options: OpenerOptions = {}): Promise<ChildProcess> {
  const opener = fork(join(root, 'opener.mjs'), [dataDir], { cwd: '/', execArgv: [], ...options });
  children.add(opener);
  await once(opener, 'spawn');
  return opener;
}

async function answerOf(opener: ChildProcess): Promise<Answer> {
  return new Promise((resolve, reject) => {
    opener.once('message', (answer) => {
      resolve(answer as Answer);
    });
    opener.once('exit', (code) => {
      reject(new Error(`The process ended with ${code ?? 'a signal'} and no answer`));
    });
  });
}

async function closeOpener(opener: ChildProcess): Promise<void> {
  opener.send('close');
  await once(opener, 'exit');
}

async function killed(opener: ChildProcess): Promise<void> {
  opener.kill('SIGKILL');
  await once(opener, 'exit');
}

async function restarted(dataDir: string, options: OpenerOptions): Promise<() => Promise<void>> {
  const opener = await startOpener(dataDir, options);
  expect((await answerOf(opener)).error).toBeUndefined();
  return () => closeOpener(opener);
}
