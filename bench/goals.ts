import type { Results } from './results.js';

/** A goal for the service. */
export interface Goal {
  readonly what: string;
  readonly wanted: string;
  readonly found: string;
  readonly isMet: boolean;
  /** Whether the figure depends on the machine and on the duration of the measurement. */
  readonly isTimed: boolean;
}

const MIN_SPEED = 0.8;
const MAX_P99 = 1.5;
const MIN_BATCH_RATIO = 3;
const MIN_BESIDE_FLOOD = 0.8;
const MIN_BESIDE_PAGES = 0.98;
const MAX_GROWTH = 1.15;
const MAX_ROUND_TRIPS = 5;
const MAX_SEARCH_MS = 100;
const MAX_PAGE_MS = 50;
const MAX_IDLE_MB = 150;
const MAX_LOADED_MB = 300;

/** All goals for which these results have figures. */
export function goalsOf({ compare, batches, flood, pages, growth, search, memory, soak }: Results): Goal[] {
  const goals: Goal[] = [];
  const trips = compare?.statements['existing giver']?.service.roundTrips;
  if (trips !== undefined) {
    const what = 'Known giver: round trips to the database';
    goals.push(goal(what, 'at most', MAX_ROUND_TRIPS, trips, 0, false));
  }
  const known = compare?.comparisons.filter(({ scenario }) => scenario === 'existing giver').at(-1);
  if (known?.ratio !== undefined) {
    const where = `Known giver, ${known.connections} connections`;
    const { requestsPerSecond, p99 } = known.ratio;
    goals.push(
      goal(
        `${where}: requests a second, as a share of the bare program's`,
        'at least',
        MIN_SPEED,
        requestsPerSecond.median,
      ),
    );
    goals.push(goal(`${where}: p99, relative to the bare program's`, 'at most', MAX_P99, p99.median));
  }
  for (const { scenario, connections, ratio } of compare?.comparisons ?? []) {
    if (scenario !== 'reversal' || ratio === undefined) continue;
    const what = `Reversal, ${connections} connections: requests a second, as a share of the bare program's`;
    goals.push(goal(what, 'at least', MIN_SPEED, ratio.requestsPerSecond.median));
  }
  for (const { connections, ratio } of batches?.cells ?? []) {
    const what = `Batches, ${connections} connections: gifts a second, relative to single calls`;
    goals.push(goal(what, 'at least', MIN_BATCH_RATIO, ratio.median));
  }
  for (const { names, ratio } of flood?.floods ?? []) {
    const what = `Good calls beside ${flood?.rate ?? 0} wrong passwords a second, ${names}: as a share of those without wrong passwords`;
    goals.push(goal(what, 'at least', MIN_BESIDE_FLOOD, ratio.median));
  }
  if (pages !== undefined) {
    const what = `Gifts on ${pages.connections} connections beside a page of the console each second: as a share of those without pages`;
    goals.push(goal(what, 'at least', MIN_BESIDE_PAGES, pages.ratio.median));
  }
  for (const { scenario, connections, sizes } of growth?.cells ?? []) {
    const largest = sizes.at(-1);
    if (largest === undefined || connections !== 1) continue;
    const what = `Growth to ${largest.size.people.toLocaleString('en')} people, ${scenario}: p50, relative to the smallest database`;
    goals.push(goal(what, 'at most', MAX_GROWTH, largest.p50Ratio.median));
  }
  for (const { what, isPage, p95 } of search?.figures ?? []) {
    goals.push(goal(`${what}: p95 in ms`, 'at most', isPage ? MAX_PAGE_MS : MAX_SEARCH_MS, p95, 0));
  }
  const idleMb = memory?.idleMb.service;
  if (memory !== undefined && idleMb !== undefined) {
    const what = `Memory of the service in MB, idle for ${memory.idleSeconds} s`;
    goals.push(goal(what, 'at most', MAX_IDLE_MB, idleMb, 0));
  }
  const loadedMb = memory?.loads.at(-1)?.peakMb.service ?? compare?.peakMb.service;
  if (loadedMb !== undefined)
    goals.push(goal('Most memory of the service in MB, all scenarios', 'at most', MAX_LOADED_MB, loadedMb, 0));
  if (soak !== undefined) {
    const what = `Soak of ${soak.minutes} minutes: memory in the last third, relative to the middle third`;
    goals.push(goal(what, 'at most', soak.flatUpTo, soak.lastToMiddle));
  }
  return goals;
}

function goal(
  what: string,
  bound: 'at least' | 'at most',
  wanted: number,
  found: number,
  digits = 2,
  isTimed = true,
): Goal {
  const isMet = bound === 'at least' ? found >= wanted : found <= wanted;
  return { what, wanted: `${bound} ${wanted.toFixed(digits)}`, found: found.toFixed(digits), isMet, isTimed };
}
