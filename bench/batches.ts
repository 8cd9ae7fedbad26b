import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchDatabases } from './databases.js';
import type { Extent } from './extent.js';
import { fill } from './fill.js';
import { assertStatuses, type Call, load, type LoadFigures } from './load.js';
import { startService } from './programs.js';
import { Calls, GIFTS_PER_BATCH } from './scenarios.js';
import { type Spread, spreadOf } from './spread.js';

/** Gifts of known givers, each in a call of its own and in batches, in turns. */
export interface BatchFigures {
  readonly connections: number;
  readonly single: { readonly giftsPerSecond: Spread };
  readonly batch: { readonly giftsPerSecond: Spread; readonly p50: Spread; readonly p99: Spread };
  /** Gifts per second in batches divided by those of single calls, round by round. */
  readonly ratio: Spread;
}

export interface BatchResult {
  readonly giftsPerBatch: number;
  readonly cells: readonly BatchFigures[];
}

/** Compares AddContributions with AddContribution. */
export async function batches(
  databases: BenchDatabases,
  extent: Extent,
  log: (line: string) => void,
): Promise<BatchResult> {
  const database = await databases.create();
  await fill(database.pool, extent.size, log);
  const calls = new Calls(database.pool, extent.size.people);
  const service = await startService({ DATABASE_URL: database.url });
  try {
    const cells: BatchFigures[] = [];
    for (const connections of extent.connections) {
      const measured: [LoadFigures, LoadFigures][] = [];
      for (let round = 0; round < extent.rounds; round++) {
        const figures = async (name: string, next: () => Call): Promise<LoadFigures> => {
          await load({ url: service.url, connections, seconds: extent.warmUpSeconds, next });
          const found = await load({ url: service.url, connections, seconds: extent.seconds, next });
          assertStatuses(found, [200], name);
          return found;
        };
        const single = await figures('gift with an id', await calls.prepare('gift with an id', service.url, 0));
        measured.push([single, await figures('batch', () => calls.batch())]);
        // The service finishes the batches whose callers have left.
        await sleep(3_000);
        log(`batches: ${connections} connections, round ${round + 1}/${extent.rounds}`);
      }
      cells.push(figuresOf(connections, measured));
    }
    return { giftsPerBatch: GIFTS_PER_BATCH, cells };
  } finally {
    await service.stop();
  }
}

function figuresOf(connections: number, rounds: readonly [LoadFigures, LoadFigures][]): BatchFigures {
  const inBatches = ({ requestsPerSecond }: LoadFigures): number => requestsPerSecond * GIFTS_PER_BATCH;
  return {
    connections,
    single: { giftsPerSecond: spreadOf(rounds.map(([single]) => single.requestsPerSecond)) },
    batch: {
      giftsPerSecond: spreadOf(rounds.map(([, batch]) => inBatches(batch))),
      p50: spreadOf(rounds.map(([, batch]) => batch.p50)),
      p99: spreadOf(rounds.map(([, batch]) => batch.p99)),
    },
    ratio: spreadOf(rounds.map(([single, batch]) => inBatches(batch) / single.requestsPerSecond)),
  };
}
