import type { BenchDatabase, BenchDatabases } from './databases.js';
import type { Extent } from './extent.js';
import { fill, type Size } from './fill.js';
import { startService } from './programs.js';
import { measureRound, mostCalls, ratioOf, type Round, type RoundTarget, type Rounds, summarize } from './rounds.js';
import { Calls, type ScenarioName } from './scenarios.js';
import type { Spread } from './spread.js';

/** The figures of one scenario at one size. */
export interface GrowthFigures {
  readonly size: Size;
  readonly rounds: Rounds;
  /** Median times of this size divided by those of the smallest. */
  readonly p50Ratio: Spread;
}

export interface GrowthResult {
  readonly cells: readonly {
    readonly scenario: ScenarioName;
    readonly connections: number;
    readonly sizes: readonly GrowthFigures[];
  }[];
}

const CELLS = [
  { scenario: 'existing giver', connections: 1 },
  { scenario: 'existing giver', connections: 8 },
  { scenario: 'new giver', connections: 1 },
  { scenario: 'by PeopleId', connections: 1 },
  { scenario: 'reversal', connections: 1 },
] as const;

interface Bed extends RoundTarget {
  readonly size: Size;
  readonly calls: Calls;
}

/** Measures the same calls with growing numbers of people and gifts, in turns. Each size has its own service. */
export async function growth(
  databases: BenchDatabases,
  extent: Extent,
  keep: boolean,
  log: (line: string) => void,
): Promise<GrowthResult> {
  const filled: { size: Size; database: BenchDatabase }[] = [];
  for (const size of extent.sizes) filled.push({ size, database: await filledDatabase(databases, size, log) });
  const beds: Bed[] = [];
  try {
    for (const { size, database } of filled) beds.push(await bedOf(size, database));
    const cells: GrowthResult['cells'][number][] = [];
    for (const { scenario, connections } of CELLS)
      cells.push(await measureSizes(beds, scenario, connections, extent, log));
    return { cells };
  } finally {
    for (const { program } of beds) await program.stop();
    if (keep) for (const { size } of filled) await databases.keep(nameOf(size));
  }
}

async function measureSizes(
  beds: readonly Bed[],
  scenario: ScenarioName,
  connections: number,
  extent: Extent,
  log: (line: string) => void,
): Promise<GrowthResult['cells'][number]> {
  const rounds: Round[][] = beds.map(() => []);
  for (let round = 0; round < extent.rounds; round++) {
    for (const [index, bed] of beds.entries()) {
      const next = await bed.calls.prepare(scenario, bed.program.url, mostCalls(extent));
      const measured = await measureRound(bed, scenario, connections, extent, next);
      rounds[index]?.push(measured);
      const where = `${scenario}, ${connections} connections, ${bed.size.people.toLocaleString('en')} people`;
      log(`growth: ${where}, round ${round + 1}/${extent.rounds}: p50 ${measured.p50.toFixed(2)} ms`);
    }
  }
  const smallest = rounds[0] ?? [];
  const sizes = beds.map(({ size }, index) => {
    const ofSize = rounds[index] ?? [];
    return { size, rounds: summarize(ofSize), p50Ratio: ratioOf(ofSize, smallest, 'p50') };
  });
  return { scenario, connections, sizes };
}

/** The database of an earlier run, or a new one. */
export async function filledDatabase(
  databases: BenchDatabases,
  size: Size,
  log: (line: string) => void,
): Promise<BenchDatabase> {
  const { database, isNew } = await databases.open(nameOf(size));
  if (isNew) {
    await fill(database.pool, size, log);
    await databases.markFilled(nameOf(size));
  } else log(`found the database of ${size.people.toLocaleString('en')} people of an earlier run`);
  return database;
}

async function bedOf(size: Size, { url, pool }: BenchDatabase): Promise<Bed> {
  const calls = new Calls(pool, size.people);
  return { program: await startService({ DATABASE_URL: url }), pool, applicationName: 'offertory', size, calls };
}

/** The name of the database of this size. */
export function nameOf({ people, gifts }: Size): string {
  return `offertory_bench_growth_${people}_${gifts}`;
}
