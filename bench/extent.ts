import type { Size } from './fill.js';
import { SCENARIOS, type ScenarioName } from './scenarios.js';

export const PARTS = [
  'compare',
  'database',
  'flood',
  'growth',
  'search',
  'start',
  'batches',
  'pages',
  'memory',
  'upkeep',
  'upgrade',
] as const;

export type Part = (typeof PARTS)[number];

/** The extent of a run. */
export interface Extent {
  readonly rounds: number;
  /** The length of each round and of its warm-up, which is not counted. */
  readonly seconds: number;
  readonly warmUpSeconds: number;
  /** The calls before the first round, which are not counted and end after two minutes at the latest. */
  readonly settleCalls: number;
  readonly scenarios: readonly ScenarioName[];
  readonly connections: readonly number[];
  /** The size of the database of compare, batches, database and flood. */
  readonly size: Size;
  /** The sizes of growth, smallest first. */
  readonly sizes: readonly Size[];
  /** How often each kind of search is measured. */
  readonly searches: number;
  /** How often a start is measured. */
  readonly starts: number;
  /** How long memory idles before it is measured. V8 returns what the start has used after one minute or two. */
  readonly idleSeconds: number;
}

/** The extent of the figures in docs/performance.md. */
export const FULL: Extent = {
  rounds: 5,
  seconds: 8,
  warmUpSeconds: 2,
  settleCalls: 30_000,
  scenarios: SCENARIOS,
  connections: [1, 8, 32],
  size: { people: 10_000, gifts: 100_000 },
  sizes: [
    { people: 1_000, gifts: 10_000 },
    { people: 100_000, gifts: 1_000_000 },
    { people: 1_000_000, gifts: 10_000_000 },
  ],
  searches: 200,
  starts: 5,
  idleSeconds: 120,
};

/** Tries everything in about two minutes, to check statuses and round trips. Its times are not meaningful. */
export const QUICK: Extent = {
  rounds: 1,
  seconds: 1,
  warmUpSeconds: 0.3,
  settleCalls: 0,
  scenarios: SCENARIOS,
  connections: [8],
  size: { people: 1_000, gifts: 10_000 },
  sizes: [
    { people: 1_000, gifts: 10_000 },
    { people: 10_000, gifts: 100_000 },
  ],
  searches: 10,
  starts: 1,
  idleSeconds: 1,
};
