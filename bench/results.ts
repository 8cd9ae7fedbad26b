import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { CompareResult } from './compare.js';
import type { DatabaseResult } from './database-alone.js';
import type { FloodResult } from './flood.js';
import type { GrowthResult } from './growth.js';
import type { Machine } from './machine.js';
import type { SoakResult } from './soak-figures.js';
import type { StartFigures } from './start.js';

/** What was measured when. Parts that a run leaves out stay as an earlier one on the same machine left them. */
export interface Results {
  machine: Machine;
  /** By part: when it was measured, ISO 8601 in UTC. */
  measuredAt: Record<string, string>;
  compare?: CompareResult;
  database?: DatabaseResult;
  flood?: FloodResult;
  growth?: GrowthResult;
  start?: readonly StartFigures[];
  soak?: SoakResult;
}

/** Those of an earlier run, if it was on a machine like this; otherwise none yet. */
export function readResults(file: string, machine: Machine): Results {
  if (!existsSync(file)) return { machine, measuredAt: {} };
  const earlier = JSON.parse(readFileSync(file, 'utf8')) as Results;
  return JSON.stringify(earlier.machine) === JSON.stringify(machine) ? earlier : { machine, measuredAt: {} };
}

/** Writes them after each part: what is measured is not lost when a later part fails. */
export function writeResults(file: string, results: Results): void {
  writeFileSync(file, `${JSON.stringify(results, undefined, 2)}\n`);
}
