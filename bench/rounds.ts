import type { Pool } from 'pg';
import type { Extent } from './extent.js';
import { assertStatuses, type Call, load, type LoadFigures } from './load.js';
import { cpuSeconds } from './process-figures.js';
import type { Program } from './programs.js';
import { EXPECTED, type ScenarioName } from './scenarios.js';
import { type Spread, spreadOf, spreadOfKnown } from './spread.js';

/** One round of one program. Processor times are milliseconds per call; undefined if the system lacks them. */
export interface Round extends LoadFigures {
  readonly cpuMs: number | undefined;
  /** Processor time of the database processes that serve this program. */
  readonly databaseCpuMs: number | undefined;
}

/** All rounds of one measurement. Times in milliseconds. */
export interface Rounds {
  readonly rounds: readonly Round[];
  readonly requestsPerSecond: Spread;
  readonly p50: Spread;
  readonly p99: Spread;
  readonly p999: Spread;
  readonly cpuMs: Spread | undefined;
  readonly databaseCpuMs: Spread | undefined;
}

/** The program that is loaded in a round. */
export interface RoundTarget {
  readonly program: Program;
  /** Connections to the database of the program. */
  readonly pool: Pool;
  /** The prefix of its application names in PostgreSQL. */
  readonly applicationName: string;
}

/** The maximum of calls in a round. No program here answers nearly as many. */
export function mostCalls({ seconds, warmUpSeconds }: Pick<Extent, 'seconds' | 'warmUpSeconds'>): number {
  return Math.ceil(2_000 * (seconds + warmUpSeconds)) + 200;
}

/** Warms up, then measures. @throws Error for a status that the scenario does not allow. */
export async function measureRound(
  target: RoundTarget,
  scenario: ScenarioName,
  connections: number,
  extent: Pick<Extent, 'seconds' | 'warmUpSeconds'>,
  next: () => Call,
): Promise<Round> {
  const { program } = target;
  await forgetJobs(target.pool);
  const options = { url: program.url, connections, next };
  const expected = EXPECTED[scenario];
  assertStatuses(await load({ ...options, seconds: extent.warmUpSeconds }), expected, `${scenario}, warming up`);
  const [before, databaseBefore] = [cpuSeconds(program.pid), await databaseCpu(target)];
  const figures = await load({ ...options, seconds: extent.seconds });
  const [after, databaseAfter] = [cpuSeconds(program.pid), await databaseCpu(target)];
  assertStatuses(figures, expected, scenario);
  return {
    ...figures,
    cpuMs: perCall(difference(before, after), figures),
    databaseCpuMs: perCall(differenceOfAll(databaseBefore, databaseAfter), figures),
  };
}

const SETTLING_SLICE_SECONDS = 5;
/** The time limit of settling on slow machines. */
const LONGEST_SETTLING_SECONDS = 120;

/**
 * Loads a program until Node has compiled the hot code and the connections have their plans, so that the measurement is
 * of a service that has run for some time. Its length is a number of calls, because slow machines need more time.
 */
export async function settle(
  target: RoundTarget,
  { settleCalls }: Pick<Extent, 'settleCalls'>,
  next: () => Call,
): Promise<void> {
  const end = performance.now() + LONGEST_SETTLING_SECONDS * 1_000;
  for (let answers = 0; answers < settleCalls && performance.now() < end;) {
    const figures = await load({ url: target.program.url, connections: 32, seconds: SETTLING_SLICE_SECONDS, next });
    assertStatuses(figures, EXPECTED['existing giver'], 'settling');
    answers += figures.answers;
  }
}

/**
 * Deletes the jobs of reversals of earlier rounds. Otherwise the service would run thousands of them in this round, and
 * without a recipient they are repeated every minute.
 */
async function forgetJobs(pool: Pool): Promise<void> {
  await pool.query("DELETE FROM job WHERE queue = 'notify-finance' AND leased_until IS NULL");
}

/** The medians, minima and maxima of several rounds. */
export function summarize(rounds: readonly Round[]): Rounds {
  return {
    rounds,
    requestsPerSecond: spreadOf(rounds.map((round) => round.requestsPerSecond)),
    p50: spreadOf(rounds.map((round) => round.p50)),
    p99: spreadOf(rounds.map((round) => round.p99)),
    p999: spreadOf(rounds.map((round) => round.p999)),
    cpuMs: spreadOfKnown(rounds.map((round) => round.cpuMs)),
    databaseCpuMs: spreadOfKnown(rounds.map((round) => round.databaseCpuMs)),
  };
}

/** The ratio of two programs round by round, because both were measured in turns. */
export function ratioOf(
  rounds: readonly LoadFigures[],
  others: readonly LoadFigures[],
  figure: 'requestsPerSecond' | 'p50' | 'p99',
): Spread {
  return spreadOf(rounds.map((round, index) => round[figure] / (others[index]?.[figure] ?? NaN)));
}

/** Processor time of each server process; empty if they run on another machine. */
async function databaseCpu({ pool, applicationName }: RoundTarget): Promise<Map<number, number>> {
  const { rows } = await pool.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND starts_with(application_name, $1)
       AND (client_addr IS NULL OR client_addr <<= '127.0.0.0/8' OR client_addr = '::1')`,
    [applicationName],
  );
  const known = rows.map(({ pid }) => [pid, cpuSeconds(pid)] as const);
  return new Map(known.filter((entry): entry is [number, number] => entry[1] !== undefined));
}

function differenceOfAll(before: Map<number, number>, after: Map<number, number>): number | undefined {
  if (after.size === 0) return undefined;
  return [...after].reduce((sum, [pid, seconds]) => sum + seconds - (before.get(pid) ?? 0), 0);
}

function difference(before: number | undefined, after: number | undefined): number | undefined {
  return before === undefined || after === undefined ? undefined : after - before;
}

function perCall(seconds: number | undefined, { answers }: LoadFigures): number | undefined {
  return seconds === undefined ? undefined : (seconds * 1_000) / answers;
}
