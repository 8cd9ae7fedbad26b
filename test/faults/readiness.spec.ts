import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '../support/client.js';
import { type PrivatePostgres, startPrivatePostgres } from '../support/private-postgres.js';
import { untilReadiness } from '../support/readiness.js';
import { createApiUser, type ServiceProcess, startServiceProcess } from '../support/service-process.js';
import { gift, type Login } from '../support/test-app.js';
import { until } from '../support/until.js';
import { EXTENT } from './extent.js';

const LOGIN: Login = ['api', 'ready means a gift can be taken'];
/** A check fails after 2 s; the rest allows for a busy machine. In milliseconds. */
const CHECK_LIMIT = 3_500;

let postgres: PrivatePostgres;
let service: ServiceProcess;
let processor: Client;
beforeAll(async () => {
  postgres = await startPrivatePostgres();
  await createApiUser({ DATABASE_URL: postgres.url }, LOGIN[1]);
  service = await startServiceProcess({ DATABASE_URL: postgres.url });
  processor = new Client(service.url, ...LOGIN);
}, 240_000);
afterAll(async () => {
  expect(await service.end('SIGTERM')).toBe(0);
  expect(service.output()).not.toContain('internal_error');
  postgres.destroy();
});

const waitingForStandby = (): Promise<{ pid: number; program: string }[]> =>
  postgres.query(
    `SELECT pid, application_name AS program FROM pg_stat_activity WHERE wait_event = 'SyncRep' ORDER BY pid`,
  );

describe('readiness', () => {
  it('fails while the database is read-only, and so does every write', async () => {
    await untilReadiness(service.url, 200);
    await postgres.set({ default_transaction_read_only: 'on' });
    expect(await untilReadiness(service.url, 503)).toBeLessThan(CHECK_LIMIT);
    for (let i = 0; i < 5; i++) {
      const { status, body, headers } = await processor.add(gift('readonly'), 'read-only');
      expect({ status, code: body['code'] }).toEqual({ status: 503, code: 'database_unavailable' });
      expect(headers.get('retry-after')).toBe('5');
    }
    await postgres.set({ default_transaction_read_only: null });
    await untilReadiness(service.url, 200);
    expect(await processor.add(gift('readonly'), 'read-only')).toMatchObject({ status: 200 });
  });

  it('fails while the database server is frozen', async () => {
    await postgres.freeze();
    try {
      expect(await untilReadiness(service.url, 503)).toBeLessThan(CHECK_LIMIT);
    } finally {
      postgres.thaw();
    }
    await untilReadiness(service.url, 200);
  });

  it('fails while commits hang, and uses at most one server process', async () => {
    await postgres.set({ synchronous_standby_names: 'nobody' });
    try {
      expect(await untilReadiness(service.url, 503)).toBeLessThan(CHECK_LIMIT);
      for (let i = 0; i < EXTENT.hanging; i++) {
        await untilReadiness(service.url, 503);
        await sleep(1_000);
        const held = (await waitingForStandby()).filter(({ program }) => program === 'offertory readiness');
        expect(held.length).toBeLessThanOrEqual(1);
      }
    } finally {
      await postgres.set({ synchronous_standby_names: null });
    }
    await untilReadiness(service.url, 200);
  });
});

describe('a cancelled wait for a synchronous standby', () => {
  /** Cancels only the waits of this call, until it is answered. */
  async function cancelled<T>(call: Promise<T>, how: 'pg_cancel_backend' | 'pg_terminate_backend'): Promise<T> {
    let isAnswered = false;
    const answer = call.finally(() => (isAnswered = true));
    await until(async () => {
      for (const { pid, program } of await waitingForStandby()) {
        if (program === 'offertory') await postgres.query(`SELECT ${how}($1)`, [pid]);
      }
      return isAnswered;
    }, 20_000);
    return answer;
  }

  it.each(['pg_cancel_backend', 'pg_terminate_backend'] as const)(
    '(%s) is answered as an unknown outcome, not with 200',
    async (how) => {
      const name = how.replaceAll('_', '');
      const known = await processor.add(gift(name));
      expect(known.status).toBe(200);
      const id = Number(known.body['ContributionId']);
      const calls = [
        () => processor.add(gift(`${name}first`), `${name} key`),
        () => processor.reverse(id, 'test', `${name} reversal`),
      ];
      await postgres.set({ synchronous_standby_names: 'nobody' });
      try {
        for (const call of calls) {
          const { status, body, headers } = await cancelled(call(), how);
          expect({ status, code: body['code'] }).toEqual({ status: 503, code: 'database_unavailable' });
          expect(headers.get('retry-after')).toBe('5');
        }
      } finally {
        await postgres.set({ synchronous_standby_names: null });
      }
      // Both were committed: their first answers are replayed.
      for (const call of calls) {
        const { status, headers } = await call();
        expect({ status, replayed: headers.get('idempotency-replayed') }).toEqual({ status: 200, replayed: 'true' });
      }
    },
  );
});

/** Mounts a small disk that a test can fill. @returns false if this machine does not allow it. */
function mountDisk(directory: string): boolean {
  return spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=300m', 'tmpfs', directory], { stdio: 'ignore' }).status === 0;
}

const disk = mkdtempSync(join(tmpdir(), 'offertory-disk-'));
const isMounted = mountDisk(disk);
afterAll(() => {
  if (isMounted) spawnSync('umount', [disk], { stdio: 'ignore' });
  rmSync(disk, { recursive: true, force: true });
});

(isMounted ? describe : describe.skip)('a full disk (skipped only where no tmpfs can be mounted)', () => {
  it('makes readiness fail, until there is room again', async () => {
    const directory = join(disk, 'server');
    mkdirSync(directory);
    const full = await startPrivatePostgres(undefined, directory);
    await createApiUser({ DATABASE_URL: full.url }, LOGIN[1]);
    const victim = await startServiceProcess({ DATABASE_URL: full.url });
    const ballast = join(disk, 'ballast');
    try {
      await untilReadiness(victim.url, 200);
      fill(ballast);
      await untilReadiness(victim.url, 503);
      rmSync(ballast);
      await untilReadiness(victim.url, 200);
    } finally {
      rmSync(ballast, { force: true });
      expect(await victim.end('SIGTERM')).toBe(0);
      full.destroy();
    }
  });
});

function fill(path: string): void {
  const block = Buffer.alloc(64 * 1024);
  for (;;) {
    try {
      writeFileSync(path, block, { flag: 'a' });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return;
      throw error;
    }
  }
}
