import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Cut, CUTS, type DatabaseProxy, openDatabaseProxy } from '../support/database-proxy.js';
import { assertLedgerInvariants } from '../support/ledger-invariants.js';
import { Load } from '../support/load.js';
import { createApiUser, type ServiceProcess, startServiceProcess } from '../support/service-process.js';
import { printFigures } from '../support/tally.js';
import type { Login } from '../support/test-app.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { until } from '../support/until.js';
import { EXTENT } from './extent.js';
import { randomFrom } from './random.js';

const LOGIN: Login = ['api', 'cut around the COMMIT'];
const SEED = Number(process.env['FAULT_SEED'] ?? 20_261_129);
/** The share of COMMITs that are cut. */
const SPOILT = 0.4;
/** The time limit of the whole test on a busy machine, in milliseconds. */
const LIMIT = 30 * 60_000;

let database: TestDatabase;
let proxy: DatabaseProxy;
let service: ServiceProcess;
const cuts = new Map<Cut, number>(CUTS.map((cut) => [cut, 0]));
/** False while the service starts: a start fails when its connection is cut. */
let isSpoiling = false;

const random = randomFrom(SEED);

function chooseCut(): Cut | undefined {
  if (!isSpoiling || random() >= SPOILT) return undefined;
  const cut = CUTS[Math.floor(random() * CUTS.length)] ?? 'before COMMIT';
  cuts.set(cut, (cuts.get(cut) ?? 0) + 1);
  return cut;
}

beforeAll(async () => {
  database = await createTestDatabase();
  proxy = await openDatabaseProxy(database.url, 'offertory', chooseCut);
  await createApiUser({ DATABASE_URL: database.url }, LOGIN[1]);
  service = await startServiceProcess({ DATABASE_URL: proxy.url });
});
afterAll(async () => {
  expect(await service.end('SIGTERM')).toBe(0);
  await proxy.close();
  await database.drop();
});

it(
  `each of ${EXTENT.cutGifts} gifts is recorded once although connections are cut around their COMMITs`,
  async () => {
    const load = new Load({ name: 'cut', login: LOGIN, urls: [service.url], clients: 16 });
    isSpoiling = true;
    try {
      await until(() => load.gifts.size >= EXTENT.cutGifts, LIMIT);
    } finally {
      isSpoiling = false;
      await load.stop();
    }
    const spoilt = [...cuts.values()].reduce((sum, count) => sum + count, 0);
    const how = [...cuts].map(([cut, count]) => `${count} ${cut}`).join(', ');
    printFigures(
      'COMMITs spoilt',
      load.tally,
      `${load.gifts.size} gifts, ${spoilt} COMMITs spoilt (${how}), seed ${SEED}`,
    );
    expect([...load.tally.seen.keys()].sort()).toEqual(['200', '503 database_unavailable']);
    expect(load.tally.retryAfterMissing).toBe(0);
    expect(load.tally.replayed).toBeGreaterThan(0);
    expect(Math.min(...cuts.values())).toBeGreaterThan(EXTENT.cutGifts / 60);
    await load.assertBooked(database);
    await assertLedgerInvariants(database);
    expect(service.output()).not.toContain('internal_error');
  },
  LIMIT + 60_000,
);
