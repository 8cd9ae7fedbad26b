import { expect } from '@jest/globals';
import fc, { type RunDetails } from 'fast-check';
import { type FuzzedService, Fuzzer } from './fuzzer.js';
import { input } from './inputs.js';
import type { Input } from './request.js';

/** What is asked of a run. */
export interface FuzzRun {
  readonly inputs: number;
  /** Of the first service; each other one has the next. */
  readonly seed: number;
  /** Where in a seed's tree of inputs one failed: only this one is tried. */
  readonly path: string | undefined;
  /** Tells how it gets on. */
  readonly say: (text: string) => void;
  /** The command that repeats a failure, but for seed and path. */
  readonly command: string;
}

const REPORT_EVERY_MS = 5_000;
/** After so many tries, what is left of a failed input is small enough. */
const TRIES_TO_MAKE_SMALLER = 300;

/**
 * Shares the inputs among services with a database each: every one waits most of its time for that, and only what is
 * done alone can be told by counting rows. @throws with what failed, made as small as it gets
 */
export async function fuzzTogether(services: readonly FuzzedService[], run: FuzzRun): Promise<void> {
  const start = performance.now();
  const each = Math.ceil(run.inputs / services.length);
  const progress = teller(each * services.length, run.say);
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
  let smaller: number | undefined;
  const property = fc.asyncProperty(input, async (one) => {
    if (smaller !== undefined && ++smaller > TRIES_TO_MAKE_SMALLER) return;
    try {
      await fuzzer.try(one);
    } catch (error) {
      smaller ??= 0;
      throw error;
    }
    if (smaller === undefined) done();
  });
  const details = await fc.check(property, { numRuns: inputs, seed, ...(path !== undefined && { path }) });
  fuzzer.close();
  return { fuzzer, details };
}

/** Counts inputs, and tells of it every few seconds. */
function teller(inputs: number, say: FuzzRun['say']): () => void {
  const start = performance.now();
  let [done, told] = [0, start];
  return () => {
    done += 1;
    if (performance.now() - told < REPORT_EVERY_MS) return;
    told = performance.now();
    say(`${done} of ${inputs} inputs in ${seconds(start)} s`);
  };
}

function failure(details: RunDetails<[Input]>, command: string): string {
  const { seed, counterexamplePath, errorInstance, numRuns, numShrinks } = details;
  return [
    `Input ${numRuns} of seed ${seed}, made smaller ${numShrinks} times:`,
    errorInstance instanceof Error ? errorInstance.message : String(errorInstance),
    `Once more: ${command} --seed ${seed} --path ${counterexamplePath ?? ''}`,
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
