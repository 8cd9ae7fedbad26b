import type { BenchDatabases } from './databases.js';
import type { Extent } from './extent.js';
import { fill } from './fill.js';
import { peakMb } from './process-figures.js';
import { startBare, startService } from './programs.js';
import {
  measureRound,
  mostCalls,
  ratioOf,
  type Round,
  type RoundTarget,
  type Rounds,
  settle,
  summarize,
} from './rounds.js';
import { Calls, type ScenarioName, SERVICE_ONLY } from './scenarios.js';
import type { Spread } from './spread.js';
import { countStatements, type StatementsByScenario } from './statements.js';

/** One scenario with this number of connections. */
export interface Comparison {
  readonly scenario: ScenarioName;
  readonly connections: number;
  readonly service: Rounds;
  readonly bare?: Rounds;
  /** The figures of the service divided by those of bare. */
  readonly ratio?: { readonly requestsPerSecond: Spread; readonly p50: Spread; readonly p99: Spread };
}

export interface CompareResult {
  readonly size: Extent['size'];
  readonly seconds: number;
  readonly rounds: number;
  readonly statements: StatementsByScenario;
  readonly comparisons: readonly Comparison[];
  /** In MB, after all rounds; undefined if the system does not report it. */
  readonly peakMb: { readonly service: number | undefined; readonly bare: number | undefined };
}

/** Measures the service and the hand-written program in turns, on one database. */
export async function compare(
  databases: BenchDatabases,
  extent: Extent,
  log: (line: string) => void,
): Promise<CompareResult> {
  const database = await databases.create();
  await fill(database.pool, extent.size, log);
  const calls = new Calls(database.pool, extent.size.people);
  const statements = await countStatements(database, calls, extent.scenarios);
  const service = await startService({ DATABASE_URL: database.url, LOGIN_FAILURES_PER_MINUTE: '1000000' });
  const bare = await startBare(database.url);
  const targets = {
    service: { program: service, pool: database.pool, applicationName: 'offertory' },
    bare: { program: bare, pool: database.pool, applicationName: 'bare' },
  };
  try {
    for (const [name, target] of Object.entries(targets)) {
      log(`compare: settling, ${name}`);
      await settle(target, extent, await calls.prepare('existing giver', target.program.url, extent.settleCalls));
    }
    const comparisons: Comparison[] = [];
    for (const scenario of extent.scenarios) {
      for (const connections of extent.connections)
        comparisons.push(await compareOne(targets, calls, scenario, connections, extent, log));
    }
    const { size, seconds, rounds } = extent;
    const peak = { service: peakMb(service.pid), bare: peakMb(bare.pid) };
    return { size, seconds, rounds, statements, comparisons, peakMb: peak };
  } finally {
    await service.stop();
    await bare.stop();
  }
}

async function compareOne(
  targets: { readonly service: RoundTarget; readonly bare: RoundTarget },
  calls: Calls,
  scenario: ScenarioName,
  connections: number,
  extent: Extent,
  log: (line: string) => void,
): Promise<Comparison> {
  const rounds: { service: Round[]; bare: Round[] } = { service: [], bare: [] };
  const names = SERVICE_ONLY.includes(scenario) ? (['service'] as const) : (['service', 'bare'] as const);
  for (let round = 0; round < extent.rounds; round++) {
    // They alternate in going first, so that both are affected by the pending writes of the other.
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const next = await calls.prepare(scenario, targets[name].program.url, mostCalls(extent));
      const measured = await measureRound(targets[name], scenario, connections, extent, next);
      rounds[name].push(measured);
      const speed = `${measured.requestsPerSecond.toFixed(0)}/s, p50 ${measured.p50.toFixed(2)} ms`;
      log(`compare: ${scenario}, ${connections} connections, round ${round + 1}/${extent.rounds}, ${name}: ${speed}`);
    }
  }
  const service = summarize(rounds.service);
  if (rounds.bare.length === 0) return { scenario, connections, service };
  const ratio = (figure: 'requestsPerSecond' | 'p50' | 'p99'): Spread => ratioOf(rounds.service, rounds.bare, figure);
  return {
    scenario,
    connections,
    service,
    bare: summarize(rounds.bare),
    ratio: { requestsPerSecond: ratio('requestsPerSecond'), p50: ratio('p50'), p99: ratio('p99') },
  };
}
