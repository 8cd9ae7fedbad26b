import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '../support/client.js';
import { createApiUser, type ServiceProcess, startServiceProcess } from '../support/service-process.js';
import { gift } from '../support/test-app.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const PASSWORD = 'kill -9 does not matter';
const CLIENTS = 8;
const ROUNDS = 3;

/** Gifts and reversals that were answered with 200. */
interface Acknowledged {
  readonly gifts: Set<number>;
  readonly reversals: Set<number>;
}

/** Clients that give, and take back every third gift, until they get no answer any more. */
async function pushUntilCut(url: string, acknowledged: Acknowledged, round: number): Promise<void> {
  const one = async (client: number): Promise<void> => {
    const processor = new Client(url, 'api', PASSWORD);
    for (let i = 0; ; i++) {
      const added = await processor.add(gift(`r${round}c${client}`, { Amount: `${i + 1}.25` }));
      if (added.status !== 200) return;
      const id = Number(added.body['ContributionId']);
      acknowledged.gifts.add(id);
      if (i % 3 !== 0) continue;
      const reversed = await processor.reverse(id);
      if (reversed.status !== 200) return;
      acknowledged.reversals.add(id);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, client) => one(client)));
}

async function killUnderLoad(service: ServiceProcess, acknowledged: Acknowledged, round: number): Promise<void> {
  const load = pushUntilCut(service.url, acknowledged, round);
  const enough = acknowledged.gifts.size + 30 + round * 20;
  while (acknowledged.gifts.size < enough) await new Promise((resolve) => setImmediate(resolve));
  await service.end('SIGKILL');
  await load;
}

/** Every acknowledged call is in the books once, and whatever is in the books is whole. */
async function assertKept(
  acknowledged: Acknowledged,
  read: (id: number) => Promise<Record<string, unknown>>,
): Promise<void> {
  for (const id of acknowledged.gifts) expect(await read(id)).toMatchObject({ contributionId: id });
  for (const id of acknowledged.reversals)
    expect(await read(id)).toMatchObject({ status: 'Reversed', reversal: { source: 'test' } });
}

describe('kill -9 loses nothing that was acknowledged', () => {
  describe('on a database of its own', () => {
    let database: TestDatabase;
    beforeAll(async () => {
      database = await createTestDatabase();
      const variables = { DATABASE_URL: database.url };
      await createApiUser(variables, PASSWORD);
    });
    afterAll(() => database.drop());

    it('with the service killed', async () => {
      const acknowledged: Acknowledged = { gifts: new Set(), reversals: new Set() };
      for (let round = 0; round < ROUNDS; round++) {
        const service = await startServiceProcess({ DATABASE_URL: database.url });
        await killUnderLoad(service, acknowledged, round);
      }
      const rows = await database.query<{ id: number; status: number }>(
        'SELECT id, status FROM contribution WHERE reverses_id IS NULL',
      );
      const stored = new Map(rows.map(({ id, status }) => [id, status]));
      for (const id of acknowledged.gifts) expect(stored.has(id)).toBe(true);
      for (const id of acknowledged.reversals) expect(stored.get(id)).toBe(1);
      // Half a reversal is no reversal: its status, its entry and its notice come together.
      const [half] = await database.query<{ halves: string }>(`
        SELECT count(*) AS halves FROM contribution g
          LEFT JOIN contribution r ON r.reverses_id = g.id LEFT JOIN notice n ON n.reversing_contribution_id = r.id
        WHERE g.reverses_id IS NULL
          AND (g.status = 1) IS DISTINCT FROM (r.id IS NOT NULL AND n.id IS NOT NULL AND r.amount = -g.amount)`);
      expect(half).toEqual({ halves: '0' });
      expect(acknowledged.reversals.size).toBeGreaterThan(20);
    });
  });

  it('on the embedded database, with its server killed as well', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'offertory-kill-'));
    chmodSync(dataDir, 0o755);
    const variables = { DATA_DIR: dataDir };
    try {
      await createApiUser(variables, PASSWORD);
      const acknowledged: Acknowledged = { gifts: new Set(), reversals: new Set() };
      for (let round = 0; round < ROUNDS; round++) {
        const service = await startServiceProcess(variables);
        await killUnderLoad(service, acknowledged, round);
        killPostmaster(dataDir);
      }
      const service = await startServiceProcess(variables);
      try {
        const processor = new Client(service.url, 'api', PASSWORD);
        await assertKept(acknowledged, async (id) => (await processor.read(id)).body);
      } finally {
        expect(await service.end('SIGTERM')).toBe(0);
      }
    } finally {
      rmSync(dataDir, { recursive: true, force: true });
    }
  }, 60_000);
});

/** Ends the embedded server without a chance to write anything; its own children notice and end themselves. */
function killPostmaster(dataDir: string): void {
  const { stdout } = spawnSync('head', ['-n', '1', join(dataDir, 'database', 'postmaster.pid')], { encoding: 'utf8' });
  process.kill(Number(stdout.trim()), 'SIGKILL');
}
