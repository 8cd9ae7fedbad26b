import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { BatchResult } from './batches.js';
import type { CompareResult } from './compare.js';
import type { DatabaseResult } from './database-alone.js';
import type { FloodResult } from './flood.js';
import type { GrowthResult } from './growth.js';
import type { Machine } from './machine.js';
import type { MemoryResult } from './memory.js';
import type { PagesResult } from './pages.js';
import type { SearchResult } from './search.js';
import type { SoakResult } from './soak-figures.js';
import type { StartFigures } from './start.js';
import type { UpgradeResult } from './upgrade.js';
import type { UpkeepResult } from './upkeep.js';

/** All results. Parts that a run does not measure are kept from earlier runs on the same machine. */
export interface Results {
  machine: Machine;
  /** The time of measurement of each part, ISO 8601 in UTC. */
  measuredAt: Record<string, string>;
  compare?: CompareResult;
  batches?: BatchResult;
  database?: DatabaseResult;
  flood?: FloodResult;
  pages?: PagesResult;
  growth?: GrowthResult;
  search?: SearchResult;
  start?: readonly StartFigures[];
  memory?: MemoryResult;
  soak?: SoakResult;
  upkeep?: readonly UpkeepResult[];
  upgrade?: UpgradeResult;
}

/** The results of earlier runs on an equal machine; otherwise empty results. */
export function readResults(file: string, machine: Machine): Results {
  if (!existsSync(file)) return { machine, measuredAt: {} };
  const earlier = JSON.parse(readFileSync(file, 'utf8')) as Results;
  return JSON.stringify(earlier.machine) === JSON.stringify(machine) ? earlier : { machine, measuredAt: {} };
}

/** Called after each part, so that its results are kept if a later part fails. */
export function writeResults(file: string, results: Results): void {
  writeFileSync(file, `${JSON.stringify(results, undefined, 2)}\n`);
}
