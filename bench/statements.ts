import { openWireTap, tapCall, TRIES } from '../test/support/wire-tap.js';
import type { BenchDatabase } from './databases.js';
import { type Program, startBare, startService } from './programs.js';
import { type Calls, EXPECTED, type ScenarioName, send, SERVICE_ONLY } from './scenarios.js';

/** The statements and round trips of one call. */
export interface CallStatements {
  readonly statements: number;
  /** Includes BEGIN, COMMIT and the reading of the user. */
  readonly roundTrips: number;
}

export type StatementsByScenario = Partial<
  Record<ScenarioName, { readonly service: CallStatements; readonly bare?: CallStatements }>
>;

/** Counts what one call of each scenario sends to the database, after a first call that is not counted. */
export async function countStatements(
  { url }: BenchDatabase,
  calls: Calls,
  scenarios: readonly ScenarioName[],
): Promise<StatementsByScenario> {
  const ofService = await count(url, 'offertory', startService, calls, scenarios);
  const withBare = scenarios.filter((name) => !SERVICE_ONLY.includes(name));
  const ofBare = await count(url, 'bare', ({ DATABASE_URL }) => startBare(DATABASE_URL), calls, withBare);
  return Object.fromEntries(
    [...ofService].map(([name, service]) => {
      const bare = ofBare.get(name);
      return [name, { service, ...(bare !== undefined && { bare }) }];
    }),
  );
}

async function count(
  databaseUrl: string,
  applicationName: string,
  start: (variables: { DATABASE_URL: string }) => Promise<Program>,
  calls: Calls,
  scenarios: readonly ScenarioName[],
): Promise<Map<ScenarioName, CallStatements>> {
  const tap = await openWireTap(databaseUrl, applicationName);
  const program = await start({ DATABASE_URL: tap.url });
  try {
    const counted = new Map<ScenarioName, CallStatements>();
    for (const name of scenarios) {
      const next = await calls.prepare(name, program.url, TRIES + 1);
      await send(program.url, next(), EXPECTED[name]);
      const { statements, roundTrips } = await tapCall(tap, next, (call) => send(program.url, call, EXPECTED[name]));
      counted.set(name, { statements: statements.length, roundTrips });
    }
    return counted;
  } finally {
    await program.stop();
    await tap.close();
  }
}
