import type { Size } from './fill.js';
import { SCENARIOS, type ScenarioName } from './scenarios.js';

export const PARTS = ['compare', 'database', 'flood', 'growth', 'start'] as const;

export type Part = (typeof PARTS)[number];

/** How far a run goes. */
export interface Extent {
  readonly rounds: number;
  /** Of each round, and of the warm-up before it, which is not counted. */
  readonly seconds: number;
  readonly warmUpSeconds: number;
  /** Once, before the first round: so many calls are answered, or two minutes are over. */
  readonly settleCalls: number;
  readonly scenarios: readonly ScenarioName[];
  readonly connections: readonly number[];
  /** What the database of compare, database and flood holds. */
  readonly size: Size;
  /** Those of growth, the smallest first. */
  readonly sizes: readonly Size[];
  /** How often a start is measured. */
  readonly starts: number;
}

/** What the figures of docs/performance.md are measured with. */
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
  starts: 5,
};

/** Tries all that there is, in two minutes or so: for statuses and round trips. Its times say little. */
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
  starts: 1,
};
