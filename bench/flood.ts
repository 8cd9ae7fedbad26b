import { setTimeout as sleep } from 'node:timers/promises';
import { type BenchDatabases, USER } from './databases.js';
import type { Extent } from './extent.js';
import { fill } from './fill.js';
import { assertStatuses, type Call, load, type LoadFigures } from './load.js';
import { startService } from './programs.js';
import { ratioOf } from './rounds.js';
import { Calls, EXPECTED } from './scenarios.js';
import { type Spread, spreadOf } from './spread.js';

/** Valid calls during wrong passwords. */
export interface FloodFigures {
  /** The user names of the guesses. */
  readonly names: string;
  readonly alone: { readonly requestsPerSecond: Spread; readonly p99: Spread };
  readonly beside: { readonly requestsPerSecond: Spread; readonly p99: Spread };
  /** The rate of valid calls during the guesses divided by the rate without them. */
  readonly ratio: Spread;
  readonly guessesPerSecond: Spread;
  /** The number of guesses that got each status, in all rounds. */
  readonly guesses: Readonly<Record<string, number>>;
}

export interface FloodResult {
  readonly connections: number;
  readonly rate: number;
  readonly floods: readonly FloodFigures[];
}

/**
 * Guesses are sent at a steady rate, as from many callers. In each second autocannon sends the share of a connection
 * at once, so several groups start at different times. Each caller waits for its answer, and about thirty callers wait
 * for a password check. This number of connections keeps up the rate nevertheless.
 */
const GROUPS = 20;
const GROUP = { connections: 5, rate: 10 } as const;
const RATE = GROUPS * GROUP.rate;
/** The time until the last group has started. */
const STAGGER_SECONDS = 1;
const CONNECTIONS = 8;
const REFUSALS = [401, 429, 503];

const NAMES = {
  'another name each time': (serial: number) => `nobody${serial}`,
  'the good caller’s name': () => USER,
} as const;

/** Measures gifts of known givers with and without simultaneous wrong passwords, in turns. */
export async function flood(
  databases: BenchDatabases,
  extent: Extent,
  log: (line: string) => void,
): Promise<FloodResult> {
  const database = await databases.create();
  await fill(database.pool, extent.size, log);
  const calls = new Calls(database.pool, extent.size.people);
  const service = await startService({ DATABASE_URL: database.url });
  try {
    const floods: FloodFigures[] = [];
    for (const [names, username] of Object.entries(NAMES))
      floods.push(await floodWith(names, username, service.url, calls, extent, log));
    return { connections: CONNECTIONS, rate: RATE, floods };
  } finally {
    await service.stop();
  }
}

async function floodWith(
  names: string,
  username: (serial: number) => string,
  url: string,
  calls: Calls,
  extent: Extent,
  log: (line: string) => void,
): Promise<FloodFigures> {
  const [alone, beside]: [LoadFigures[], LoadFigures[]] = [[], []];
  const guesses: LoadFigures[][] = [];
  const next = await calls.prepare('existing giver', url, 0);
  const good = async (seconds: number): Promise<LoadFigures> => {
    const figures = await load({ url, connections: CONNECTIONS, seconds, next });
    assertStatuses(figures, EXPECTED['existing giver'], `good calls, ${names}`);
    return figures;
  };
  const guess = async (seconds: number): Promise<LoadFigures[]> => {
    const wrong = (): Call => calls.wrongPassword(username(calls.next()));
    const groups = Array.from({ length: GROUPS }, async (_, group) => {
      await sleep((1_000 / GROUPS) * group);
      return await load({ url, ...GROUP, seconds, next: wrong });
    });
    const figures = await Promise.all(groups);
    for (const one of figures) assertStatuses(one, REFUSALS, `guesses, ${names}`);
    return figures;
  };
  for (let round = 0; round < extent.rounds; round++) {
    await good(extent.warmUpSeconds);
    alone.push(await good(extent.seconds));
    // The guesses start before the measurement and end after it.
    const guessing = guess(extent.seconds + extent.warmUpSeconds + 2 * STAGGER_SECONDS);
    await good(STAGGER_SECONDS + extent.warmUpSeconds);
    beside.push(await good(extent.seconds));
    guesses.push(await guessing);
    log(`flood: ${names}, round ${round + 1}/${extent.rounds}`);
  }
  const figuresOf = (rounds: LoadFigures[]): FloodFigures['alone'] => ({
    requestsPerSecond: spreadOf(rounds.map((figures) => figures.requestsPerSecond)),
    p99: spreadOf(rounds.map((figures) => figures.p99)),
  });
  return {
    names,
    alone: figuresOf(alone),
    beside: figuresOf(beside),
    ratio: ratioOf(beside, alone, 'requestsPerSecond'),
    guessesPerSecond: spreadOf(guesses.map(rateOf)),
    guesses: sumOf(guesses.flat()),
  };
}

/** The requests per second of all groups together. */
function rateOf(groups: readonly LoadFigures[]): number {
  return groups.reduce((sum, { requestsPerSecond }) => sum + requestsPerSecond, 0);
}

function sumOf(rounds: readonly LoadFigures[]): Record<string, number> {
  const sum: Record<string, number> = {};
  for (const { statuses } of rounds) {
    for (const [status, count] of Object.entries(statuses)) sum[status] = (sum[status] ?? 0) + count;
  }
  return sum;
}
