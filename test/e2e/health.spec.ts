import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { holdLock } from '../support/held-lock.js';
import { gift, startTestApp, type TestApp } from '../support/test-app.js';
import { createTestDatabase } from '../support/test-database.js';
import { until } from '../support/until.js';
import { openWireTap } from '../support/wire-tap.js';
import { countLockWaits } from '../support/lock-waits.js';

let service: TestApp;

beforeAll(async () => {
  service = await startTestApp({ BASE_PATH: '/giving' });
});
afterAll(() => service.stop());

describe('health', () => {
  it('answers liveness without credentials', async () => {
    const answer = await service.http().get('/health/live').expect(200);
    expect(answer.body).toEqual({ status: 'ok' });
  });

  it('is ready, and warns while reversals have no recipient', async () => {
    const warned = await service.http().get('/health/ready').expect(200);
    expect(warned.body).toEqual({ status: 'ok', warnings: [expect.stringContaining('FINANCE_EMAILS')] });
    await service.createUser('treasurer', 'long enough', ['Finance'], 'treasurer@example.org');
    await until(
      async () =>
        ((await service.http().get('/health/ready').expect(200)).body as { warnings?: string[] }).warnings ===
        undefined,
    );
  });

  it('is not ready while migrations are pending', async () => {
    const [last] = await service.database.query<{ name: string; timestamp: string }>(
      'DELETE FROM migrations WHERE id = (SELECT max(id) FROM migrations) RETURNING name, timestamp',
    );
    await until(async () => (await service.http().get('/health/ready')).status === 503);
    const answer = await service.http().get('/health/ready').expect(503);
    expect(answer.body).toMatchObject({
      code: 'database_unavailable',
      detail: expect.stringContaining('database migrate'),
    });
    expect(answer.headers['retry-after']).toBe('5');
    await service.database.query('INSERT INTO migrations (name, timestamp) VALUES ($1, $2)', [
      last?.name,
      last?.timestamp,
    ]);
    await until(async () => (await service.http().get('/health/ready')).status === 200);
  });

  it('is not ready while new connections are read-only or the epoch of restored books cannot be stored', async () => {
    const [row] = await service.database.query<{ name: string }>('SELECT current_database() AS name');
    const readOnly = `ALTER DATABASE ${row?.name ?? ''}`;
    const setting = 'default_transaction_read_only';
    const untilStatus = (status: number) =>
      until(async () => (await service.http().get('/health/ready')).status === status, 20_000);
    await untilStatus(200);
    await service.database.query(`${readOnly} SET ${setting} = on`);
    await untilStatus(503);
    await service.database.query(`
      UPDATE books_epoch SET identity = identity || '{"server": "1"}';
      SELECT setval('fund_id_seq', 2147483000)`);
    // Undoes the setting for this connection and for new ones.
    await service.database.query(`SET ${setting} = off; ${readOnly} RESET ${setting}`);
    await sleep(2_500);
    await service.http().get('/health/ready').expect(503);
    await service.database.query(`SELECT setval('fund_id_seq', 1)`);
    await untilStatus(200);
    expect(await service.database.query('SELECT FROM books_epoch')).toHaveLength(2);
  }, 60_000);

  it('checks the database once a second, however many callers ask', async () => {
    const database = await createTestDatabase();
    const tap = await openWireTap(database.url, 'offertory readiness');
    const tapped = await startTestApp({}, { database: { ...database, connection: { url: tap.url } } });
    try {
      const { port } = tapped.app.getHttpServer().address() as AddressInfo;
      const begin = performance.now();
      const statuses = await Promise.all(
        Array.from({ length: 800 }, async () => (await fetch(`http://127.0.0.1:${port}/health/ready`)).status),
      );
      const checks = tap.statements.filter(({ text }) => text.includes('pg_logical_emit_message')).length;
      expect(new Set(statuses)).toEqual(new Set([200]));
      expect(checks).toBeGreaterThan(0);
      expect(checks).toBeLessThanOrEqual(Math.ceil((performance.now() - begin) / 1_000));
    } finally {
      await tapped.stop();
      await tap.close();
      await database.drop();
    }
  });

  it('is ready while all connections for requests are in use', async () => {
    const busy = await startTestApp({ DATABASE_POOL_SIZE: '2' });
    const lock = await holdLock(busy.database.url, 'LOCK TABLE contribution', []);
    const gifts = [1, 2, 3].map((number) => busy.add(gift(`busy${number}`)).then(({ status }) => status));
    try {
      await until(async () => (await countLockWaits(busy.database)) === 2);
      await busy.http().get('/health/ready').expect(200);
      // Still in use.
      expect(await countLockWaits(busy.database)).toBe(2);
    } finally {
      await lock.release();
      await Promise.all(gifts);
      await busy.stop();
    }
  });
});

describe('BASE_PATH', () => {
  it('may prefix every path, in any letter case', async () => {
    await service.http().post('/giving/Api/AddContribution').expect(401);
    await service.http().post('/GIVING/api/addcontribution/').expect(401);
    await service.http().get('/giving/health/live').expect(200);
  });

  it('changes neither unknown paths nor allowed methods', async () => {
    await service.http().get('/giving/elsewhere').expect(404);
    await service.http().get('/givingApi/AddContribution').expect(404);
    const wrong = await service.http().get('/giving/Api/AddContribution').expect(405);
    expect(wrong.headers['allow']).toBe('POST');
    const probe = await service.http().post('/health/ready').expect(405);
    expect(probe.headers['allow']).toBe('GET, HEAD');
  });
});
