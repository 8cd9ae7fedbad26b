import { expect } from '@jest/globals';
import fc, { type RunDetails } from 'fast-check';
import { assertLedgerInvariants } from '../support/ledger-invariants.js';
import { type FuzzedService, Fuzzer } from './fuzzer.js';
import { input } from './inputs.js';
import type { Input } from './request.js';

/** The options of a run. */
export interface FuzzRun {
  readonly inputs: number;
  /** The seed of the first service. Each further service gets the next number. */
  readonly seed: number;
  /** The path of a failed input in the tree of inputs of a seed. If set, only this input is tried. */
  readonly path: string | undefined;
  /** Reports the progress. */
  readonly say: (text: string) => void;
  /** The command that repeats a failure, without seed and path. */
  readonly command: string;
}

const REPORT_EVERY_MS = 5_000;
/** The limit of attempts to shrink a failed input. */
const SHRINK_ATTEMPTS = 300;

/**
 * Divides the inputs among services that each have their own database. The services wait for their databases most of
 * the time. Counting rows shows the effect of a call only if no other call uses the same database.
 * @throws Error with the failed inputs, shrunk as far as possible.
 */
export async function fuzzTogether(services: readonly FuzzedService[], run: FuzzRun): Promise<void> {
  const start = performance.now();
  const each = Math.ceil(run.inputs / services.length);
  const progress = progressReporter(each * services.length, run.say);
  const lanes = await Promise.all(
    services.map((service, lane) => fuzz(service, { ...run, inputs: each, seed: run.seed + lane }, progress)),
  );
  const answers = sum(lanes.map(({ fuzzer }) => fuzzer.answers));
  const kinds = sum(lanes.map(({ fuzzer }) => fuzzer.kinds));
  const tried = lanes.reduce((count, { details }) => count + details.numRuns, 0);
  run.say(`${tried} inputs in ${seconds(start)} s\n${table(answers)}\n\n${table(kinds)}`);
  const failures = lanes.filter(({ details }) => details.failed).map(({ details }) => failure(details, run.command));
  if (failures.length > 0) throw new Error(failures.join('\n\n'));
  if (run.path === undefined) expect(answers.get('200 gift')).toBeGreaterThan(run.inputs / 10);
}

interface Lane {
  readonly fuzzer: Fuzzer;
  readonly details: RunDetails<[Input]>;
}

async function fuzz(service: FuzzedService, { inputs, seed, path }: FuzzRun, done: () => void): Promise<Lane> {
  const fuzzer = await Fuzzer.start(service);
  let shrinks: number | undefined;
  const property = fc.asyncProperty(input, async (one) => {
    if (shrinks !== undefined && ++shrinks > SHRINK_ATTEMPTS) return;
    try {
      await fuzzer.try(one);
    } catch (error) {
      shrinks ??= 0;
      throw error;
    }
    if (shrinks === undefined) done();
  });
  const details = await fc.check(property, { numRuns: inputs, seed, ...(path !== undefined && { path }) });
  fuzzer.close();
  await assertLedgerInvariants(service.database);
  return { fuzzer, details };
}

/** Counts inputs and reports the count every few seconds. */
function progressReporter(inputs: number, say: FuzzRun['say']): () => void {
  const start = performance.now();
  let [done, reported] = [0, start];
  return () => {
    done += 1;
    if (performance.now() - reported < REPORT_EVERY_MS) return;
    reported = performance.now();
    say(`${done} of ${inputs} inputs in ${seconds(start)} s`);
  };
}

function failure(details: RunDetails<[Input]>, command: string): string {
  const { seed, counterexamplePath, errorInstance, numRuns, numShrinks } = details;
  return [
    `Input ${numRuns} of seed ${seed}, shrunk ${numShrinks} times:`,
    errorInstance instanceof Error ? errorInstance.message : String(errorInstance),
    `To repeat it: ${command} --seed ${seed} --path ${counterexamplePath ?? ''}`,
  ].join('\n');
}

const seconds = (start: number): string => ((performance.now() - start) / 1_000).toFixed(1);

function sum(all: readonly ReadonlyMap<string, number>[]): Map<string, number> {
  const total = new Map<string, number>();
  for (const counts of all) for (const [what, count] of counts) total.set(what, (total.get(what) ?? 0) + count);
  return total;
}

const table = (counts: ReadonlyMap<string, number>): string =>
  [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([what, count]) => `${String(count).padStart(7)}  ${what}`)
    .join('\n');
