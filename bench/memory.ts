import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchDatabases } from './databases.js';
import type { Extent } from './extent.js';
import { fill } from './fill.js';
import { peakMb, residentMb } from './process-figures.js';
import { startBare, startService } from './programs.js';
import { measureRound, mostCalls, type RoundTarget, settle } from './rounds.js';
import { Calls, SERVICE_ONLY } from './scenarios.js';

/** Memory of the two Node processes in MB; undefined if the system does not report it. */
export interface ProgramsMb {
  readonly service: number | undefined;
  readonly bare: number | undefined;
}

/** A load of all scenarios with this number of connections. */
export interface LoadedMemory {
  readonly connections: number;
  /** The most memory from the start of the programs to the end of this load. */
  readonly peakMb: ProgramsMb;
}

export interface MemoryResult {
  readonly size: Extent['size'];
  /** The length of each scenario's load. */
  readonly seconds: number;
  readonly idleSeconds: number;
  /** After `idleSeconds` without a call. */
  readonly idleMb: ProgramsMb;
  /** In the order in which they were measured, each after the one before. */
  readonly loads: readonly LoadedMemory[];
}

/** Measures the memory of the service and the hand-written program: idle, then under the load of `compare`. */
export async function memory(
  databases: BenchDatabases,
  extent: Extent,
  log: (line: string) => void,
): Promise<MemoryResult> {
  const database = await databases.create();
  await fill(database.pool, extent.size, log);
  const calls = new Calls(database.pool, extent.size.people);
  const service = await startService({ DATABASE_URL: database.url, LOGIN_FAILURES_PER_MINUTE: '1000000' });
  const bare = await startBare(database.url);
  const measured = (figure: (pid: number) => number | undefined): ProgramsMb => ({
    service: figure(service.pid),
    bare: figure(bare.pid),
  });
  const targets = {
    service: { program: service, pool: database.pool, applicationName: 'offertory' },
    bare: { program: bare, pool: database.pool, applicationName: 'bare' },
  } satisfies Record<string, RoundTarget>;
  try {
    await sleep(extent.idleSeconds * 1_000);
    const idleMb = measured(residentMb);
    log(`memory: idle, ${lineOf(idleMb)}`);
    for (const target of Object.values(targets))
      await settle(target, extent, await calls.prepare('existing giver', target.program.url, extent.settleCalls));
    const loads: LoadedMemory[] = [];
    for (const connections of extent.connections) {
      for (const scenario of extent.scenarios) {
        for (const target of SERVICE_ONLY.includes(scenario) ? [targets.service] : Object.values(targets)) {
          const next = await calls.prepare(scenario, target.program.url, mostCalls(extent));
          await measureRound(target, scenario, connections, extent, next);
        }
        log(`memory: ${scenario}, ${connections} connections, ${lineOf(measured(residentMb))}`);
      }
      loads.push({ connections, peakMb: measured(peakMb) });
    }
    const { size, seconds, idleSeconds } = extent;
    return { size, seconds, idleSeconds, idleMb, loads };
  } finally {
    await service.stop();
    await bare.stop();
  }
}

function lineOf({ service, bare }: ProgramsMb): string {
  return `service ${service?.toFixed(0) ?? '?'} MB, bare ${bare?.toFixed(0) ?? '?'} MB`;
}
