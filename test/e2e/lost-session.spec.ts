import { connect, createServer, type Server, type Socket, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../src/database/sessions/connection.js';
import { isDatabaseUnavailable } from '../../src/database/index.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

/** ReadyForQuery, idle: the last message of a server that starts a session. */
const READY = Buffer.from('5a0000000549', 'hex');

/** The ErrorResponse that a terminated session gets. */
function terminated(): Buffer {
  const fields = Buffer.from('SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0');
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}

let database: TestDatabase;
let proxy: Server;
let dataSource: DataSource;
let terminating = false;
const sockets = new Set<Socket>();

/** Forwards all data. While `terminating`, a new session gets its termination in the same packet as ReadyForQuery. */
function forward(client: Socket): void {
  const { hostname, port, searchParams } = new URL(database.url);
  const directory = searchParams.get('host');
  const server = directory === null ? connect(Number(port), hostname) : connect(join(directory, `.s.PGSQL.${port}`));
  for (const socket of [client, server]) {
    sockets.add(socket);
    socket.on('error', () => undefined);
  }
  client.pipe(server);
  server.on('data', (chunk) => {
    if (!terminating || !chunk.subarray(-READY.length).equals(READY)) client.write(chunk);
    else client.end(Buffer.concat([chunk, terminated()]));
  });
  server.on('close', () => client.destroy());
}

beforeAll(async () => {
  database = await createTestDatabase();
  proxy = createServer(forward);
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const url = new URL(database.url);
  url.search = '';
  url.port = String((proxy.address() as AddressInfo).port);
  url.hostname = '127.0.0.1';
  dataSource = new DataSource(dataSourceOptions({ url: url.toString() }, 2));
  await dataSource.initialize();
});
afterAll(async () => {
  await dataSource.destroy();
  for (const socket of sockets) socket.destroy();
  proxy.close();
  await database.drop();
});

describe('a session that is terminated as soon as it has begun', () => {
  it('fails the call that opened it, not the process', async () => {
    terminating = true;
    for (const socket of sockets) socket.destroy();
    const outcomes = await Promise.allSettled(Array.from({ length: 4 }, () => dataSource.query('SELECT 1')));
    for (const outcome of outcomes) {
      expect(outcome.status).toBe('rejected');
      expect(isDatabaseUnavailable((outcome as PromiseRejectedResult).reason)).toBe(true);
    }
    terminating = false;
    expect(await dataSource.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });
});
