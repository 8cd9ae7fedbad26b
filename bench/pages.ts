import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchDatabases } from './databases.js';
import type { Extent } from './extent.js';
import { fill } from './fill.js';
import { assertStatuses, load, type LoadFigures } from './load.js';
import { startService } from './programs.js';
import { ratioOf } from './rounds.js';
import { Calls, EXPECTED } from './scenarios.js';
import { type Spread, spreadOf } from './spread.js';
import { createTreasurer, logIn } from './treasurer.js';

/** Gifts while a treasurer uses the console. */
export interface PagesResult {
  readonly connections: number;
  /** Gifts of known givers a second without pages, and while a page is loaded each second. */
  readonly alone: Spread;
  readonly beside: Spread;
  /** The second divided by the first. */
  readonly ratio: Spread;
  /** How long a page takes beside the gifts, in milliseconds. */
  readonly pageMs: Spread;
}

const CONNECTIONS = 8;
const EVERY_MS = 1_000;

/** The pages that a treasurer opens, in turns. */
const PAGES = [
  '/console',
  '/console/gifts',
  '/console/gifts?q=lastname',
  '/console/bundles',
  '/console/reviews',
  '/console/people?q=lastname',
  '/console/totals',
  '/console/changes',
];

/** Measures gifts of known givers with and without a page a second, in turns. */
export async function pages(
  databases: BenchDatabases,
  extent: Extent,
  log: (line: string) => void,
): Promise<PagesResult> {
  const database = await databases.create();
  await fill(database.pool, extent.size, log);
  await createTreasurer(database);
  const calls = new Calls(database.pool, extent.size.people);
  const service = await startService({ DATABASE_URL: database.url });
  try {
    const next = await calls.prepare('existing giver', service.url, 0);
    const gifts = async (seconds: number): Promise<LoadFigures> => {
      const figures = await load({ url: service.url, connections: CONNECTIONS, seconds, next });
      assertStatuses(figures, EXPECTED['existing giver'], 'gifts beside pages');
      return figures;
    };
    const cookie = await logIn(service.url);
    const [alone, beside]: [LoadFigures[], LoadFigures[]] = [[], []];
    const pageMs: number[] = [];
    const measure = {
      alone: async (): Promise<void> => void alone.push(await gifts(extent.seconds)),
      beside: async (): Promise<void> => {
        const ending = new AbortController();
        const loading = loadPages(service.url, cookie, ending.signal);
        beside.push(await gifts(extent.seconds).finally(() => ending.abort()));
        pageMs.push(...(await loading));
      },
    };
    for (let round = 0; round < extent.rounds; round++) {
      await gifts(extent.warmUpSeconds);
      // Each goes first in every other round, so that a machine that slows down affects both.
      const [first, second] = round % 2 === 0 ? [measure.alone, measure.beside] : [measure.beside, measure.alone];
      await first();
      await second();
      log(`pages: round ${round + 1}/${extent.rounds}`);
    }
    const perSecond = (figures: readonly LoadFigures[]): Spread =>
      spreadOf(figures.map(({ requestsPerSecond }) => requestsPerSecond));
    return {
      connections: CONNECTIONS,
      alone: perSecond(alone),
      beside: perSecond(beside),
      ratio: ratioOf(beside, alone, 'requestsPerSecond'),
      pageMs: spreadOf(pageMs),
    };
  } finally {
    await service.stop();
  }
}

/** Loads a page each second until the signal. @returns how long each took, in milliseconds. */
async function loadPages(url: string, cookie: string, signal: AbortSignal): Promise<number[]> {
  const times: number[] = [];
  while (!signal.aborted) {
    const path = PAGES[times.length % PAGES.length] ?? '';
    const begin = performance.now();
    const answer = await fetch(url + path, { headers: { Cookie: cookie }, redirect: 'manual' });
    await answer.text();
    if (answer.status !== 200) throw new Error(`${path} was answered with ${answer.status}`);
    const took = performance.now() - begin;
    times.push(took);
    await sleep(Math.max(0, EVERY_MS - took), undefined, { signal }).catch(() => undefined);
  }
  return times;
}
