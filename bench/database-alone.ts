import type { BenchDatabases } from './databases.js';
import type { Extent } from './extent.js';
import { fill } from './fill.js';
import { findPgbench, type PgbenchFigures, runPgbench, writeScript } from './pgbench.js';
import { Calls } from './scenarios.js';
import { type Spread, spreadOf } from './spread.js';

/** The speed of the statements of a known giver's gift, on this number of connections. */
interface DatabaseFigures {
  readonly connections: number;
  readonly transactionsPerSecond: Spread;
  /** Latency in milliseconds. */
  readonly meanMs: Spread;
}

/** All figures, or the reason why they are missing. */
export type DatabaseResult =
  | {
      readonly size: Extent['size'];
      readonly seconds: number;
      readonly rounds: number;
      readonly figures: readonly DatabaseFigures[];
    }
  | { readonly missing: string };

/** Sends the statements of a known giver's gift with pgbench, to measure the database without the service. */
export async function databaseAlone(
  databases: BenchDatabases,
  extent: Extent,
  log: (line: string) => void,
): Promise<DatabaseResult> {
  const program = findPgbench();
  if (program === undefined) return { missing: 'pgbench was found neither in PATH nor in /usr/lib/postgresql.' };
  const database = await databases.create();
  await fill(database.pool, extent.size, log);
  const script = await writeScript(database, new Calls(database.pool, extent.size.people), extent.size.people);
  const measured = extent.connections.map((connections) => ({ connections, rounds: [] as PgbenchFigures[] }));
  for (let round = 0; round < extent.rounds; round++) {
    for (const { connections, rounds } of measured) {
      const figures = await runPgbench(program, database, script, connections, extent.seconds);
      rounds.push(figures);
      const speed = `${figures.transactionsPerSecond.toFixed(0)}/s`;
      log(`database: ${connections} connections, round ${round + 1}/${extent.rounds}: ${speed}`);
    }
  }
  const { size, seconds, rounds } = extent;
  return {
    ...{ size, seconds, rounds },
    figures: measured.map(({ connections, rounds: runs }) => ({
      connections,
      transactionsPerSecond: spreadOf(runs.map(({ transactionsPerSecond }) => transactionsPerSecond)),
      meanMs: spreadOf(runs.map(({ meanMs }) => meanMs)),
    })),
  };
}
