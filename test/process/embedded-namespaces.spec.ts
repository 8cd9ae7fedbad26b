import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client as Connection } from 'pg';
import { Client, untilAnswered } from '../support/client.js';
import { IN_A_CONTAINER, namespacesAreAllowed, postmasterOf, serverProcesses } from '../support/namespaces.js';
import {
  type Outcome,
  runProgram,
  type ServiceProcess,
  startProgram,
  startServiceProcess,
} from '../support/service-process.js';
import { gift } from '../support/test-app.js';
import { until } from '../support/until.js';

const PASSWORD = 'two containers, one volume';
const HERE: readonly string[] = [];

let dataDir: string;
let gifts = 0;
const running = new Set<ServiceProcess>();
/** The ids of all gifts that were answered with 200. */
const acknowledged = new Set<number>();

async function startService(
  launcher: readonly string[],
  variables: Record<string, string> = {},
): Promise<ServiceProcess> {
  const service = await startServiceProcess({ DATA_DIR: dataDir, ...variables }, undefined, launcher);
  running.add(service);
  return service;
}

async function stop(service: ServiceProcess, signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
  running.delete(service);
  const code = await service.end(signal);
  if (signal === 'SIGTERM') expect(code).toBe(0);
}

async function give(service: ServiceProcess, count: number): Promise<void> {
  const client = new Client(service.url, 'api', PASSWORD);
  for (let made = 0; made < count; made++) {
    const key = `gift ${++gifts}`;
    const answer = await untilAnswered(() => client.add(gift(`n${gifts}`), key));
    expect(answer).toMatchObject({ status: 200 });
    acknowledged.add(Number(answer.body['ContributionId']));
  }
}

function listUsers(launcher: readonly string[]): Promise<Outcome> {
  return runProgram('cli', ['user', 'list'], { DATA_DIR: dataDir }, '', undefined, launcher);
}

async function recorded(): Promise<number[]> {
  const database = new Connection({ host: join(dataDir, 'run'), user: 'postgres', database: 'offertory' });
  await database.connect();
  try {
    const { rows } = await database.query<{ id: number }>('SELECT id FROM contribution ORDER BY id');
    return rows.map(({ id }) => id);
  } finally {
    await database.end();
  }
}

async function expectAllRecorded(): Promise<void> {
  expect(await recorded()).toEqual([...acknowledged].sort((a, b) => a - b));
}

function newVolume(): void {
  dataDir = join(mkdtempSync(join(tmpdir(), 'offertory-volume-')), 'data');
  chmodSync(dirname(dataDir), 0o755);
  gifts = 0;
  acknowledged.clear();
}

async function removeVolume(): Promise<void> {
  for (const service of running) await stop(service, 'SIGKILL');
  await until(() => {
    for (const { id } of serverProcesses(join(dataDir, 'database'))) process.kill(id, 'SIGKILL');
    return serverProcesses(join(dataDir, 'database')).length === 0;
  });
  rmSync(dirname(dataDir), { recursive: true, force: true });
}

const postmasterFile = (): string => readFileSync(join(dataDir, 'database', 'postmaster.pid'), 'utf8');
const hasServer = (): boolean => existsSync(join(dataDir, 'database', 'postmaster.pid'));

/** Skipped where namespaces cannot be created: on other systems than Linux, or for users without that right. */
const where = namespacesAreAllowed ? describe : describe.skip;

// All tests use one volume: each continues from the one before.
where('one DATA_DIR in two PID and IPC namespaces, like two containers on one volume', () => {
  beforeAll(newVolume);
  afterAll(removeVolume);

  it('is prepared once by two services that start on an empty volume together', async () => {
    const services = await Promise.all([startService(IN_A_CONTAINER), startService(IN_A_CONTAINER)]);
    const output = services.map((service) => service.output()).join('');
    expect(output.match(/creating a new database/g)).toHaveLength(1);
    expect(output.match(/Started PostgreSQL/g)).toHaveLength(1);
    expect(output.match(/Joined the running PostgreSQL/g)).toHaveLength(1);
    // The first start has created the user.
    const setPassword = ['user', 'set-password', 'api', '--password-stdin'];
    expect(await runProgram('cli', setPassword, { DATA_DIR: dataDir }, PASSWORD)).toMatchObject({ code: 0 });
    await Promise.all(services.map((service) => give(service, 5)));
    await expectAllRecorded();

    // A killed container takes the server with it if it has started the server.
    const [starter, other] = services[0].output().includes('Started') ? services : services.reverse();
    if (starter === undefined || other === undefined) throw new Error('There are two services');
    await stop(starter, 'SIGKILL');
    await give(other, 5);
    await expectAllRecorded();
    await stop(other);
    expect(hasServer()).toBe(false);
  });

  it.each([
    ['a service in a container, a command outside', IN_A_CONTAINER, HERE],
    ['a service outside, a command in a container', HERE, IN_A_CONTAINER],
  ])('keeps every gift with %s', async (_, ofService, ofCommand) => {
    const service = await startService(ofService);
    await give(service, 27);
    const before = postmasterFile();
    expect(await listUsers(ofCommand)).toMatchObject({ code: 0, stdout: expect.stringContaining('api') });
    expect(postmasterFile()).toBe(before);
    await give(service, 1);
    await expectAllRecorded();
    await stop(service);
    expect(hasServer()).toBe(false);
  });

  it('stops the server when the last user leaves, also from another namespace', async () => {
    const outside = await startService(HERE);
    const inside = await startService(IN_A_CONTAINER);
    const server = postmasterOf(join(dataDir, 'database'));
    await stop(outside);
    expect(outside.output()).toContain('because others use it');
    await give(inside, 1);
    expect(postmasterOf(join(dataDir, 'database'))).toBe(server);
    await stop(inside);
    expect(hasServer()).toBe(false);
    expect(readFileSync(join(dataDir, 'log', 'postgresql.log'), 'utf8')).toMatch(/database system is shut down\n$/);
  });

  it('starts no second server while a process of the first one is alive', async () => {
    const service = await startService(IN_A_CONTAINER);
    await give(service, 1);
    const server = postmasterOf(join(dataDir, 'database'));
    const [backend] = serverProcesses(join(dataDir, 'database')).filter(({ parent }) => parent === server);
    if (backend === undefined) throw new Error('The server has no children');
    // A backend that hangs does not see its server die.
    process.kill(backend.id, 'SIGSTOP');
    process.kill(server, 'SIGKILL');
    const before = postmasterFile();
    const command = startProgram('cli', ['user', 'list'], { DATA_DIR: dataDir }, '');
    await until(() => command.stderr().includes('another process, perhaps in another container, holds its lock'));
    expect(postmasterFile()).toBe(before);
    expect(serverProcesses(join(dataDir, 'database'))).toEqual([expect.objectContaining({ id: backend.id })]);

    process.kill(backend.id, 'SIGKILL');
    expect(await command.outcome).toMatchObject({ code: 0, stdout: expect.stringContaining('api') });
    await give(service, 1);
    await expectAllRecorded();
    await stop(service);
  });

  it('joins a server that an older version has started without the lock, also through another mount of the volume', async () => {
    // Without flock(1) a server is started without the lock, as older versions did.
    const unlocked = await startService(IN_A_CONTAINER, { PATH: '/nowhere' });
    await give(unlocked, 1);
    const server = postmasterOf(join(dataDir, 'database'));
    const elsewhere = mkdtempSync(join(dirname(dataDir), 'elsewhere-'));
    const mounted = [
      ...IN_A_CONTAINER,
      '/bin/sh',
      '-c',
      'mount --bind "$0" "$1" && shift && exec "$@"',
      dataDir,
      elsewhere,
    ];
    const other = await startService(mounted, { DATA_DIR: elsewhere });
    expect(other.output()).toContain(`Joined the running PostgreSQL in ${elsewhere}`);
    expect(await listUsers(HERE)).toMatchObject({ code: 0 });
    expect(postmasterOf(join(dataDir, 'database'))).toBe(server);
    await Promise.all([unlocked, other].map((service) => give(service, 3)));
    await expectAllRecorded();
    await stop(unlocked, 'SIGKILL');
    await give(other, 1);
    await expectAllRecorded();
    await stop(other);
    expect(hasServer()).toBe(false);
  });
});
