import { expect, it } from '@jest/globals';
import { type Outcomes, runSeed } from './run-seed.js';

/** Those of `npm run test:model`; otherwise a few, the same each time: what CI says is about the change. */
const asked = process.env['MODEL_SEEDS']?.split(',').map(Number);
const seeds = asked ?? [1, 2, 3];
const operations = Number(process.env['MODEL_OPERATIONS'] ?? 400);
const timeout = 60_000 + 200 * operations;

/** What the small seeds must bring about, or the comparison says little. */
const EVERY_OUTCOME = [
  'add: new person',
  'add: several matches',
  'add: done',
  'add: replayed',
  'add: replayed though taken back',
  'add: replayed though moved',
  'add: invalid_request',
  'add: unknown_person',
  'add: person_not_found',
  'add: fund_not_found',
  'add: bundle_type_not_found',
  'add: contribution_type_not_allowed',
  'add: idempotency_key_reused',
  'add: transaction_id_reused',
  'add: currency_mismatch',
  'add: already_reversed',
  'dry run: done',
  'reverse: done',
  'reverse: replayed',
  'reverse: contribution_not_found',
  'reverse: already_reversed',
  'reverse: not_reversible',
  'reverse: idempotency_key_reused',
  'read: done',
  'read: contribution_not_found',
  'merge: done',
  'merge: cannot_merge',
  'reassign: done',
  'reassign: not_reassignable',
  'accept: done',
  'confirm contact: done',
  'close bundle: done',
  'open or close fund: done',
  'choose default fund: done',
  'choose default fund: closed_fund',
  'let days pass: done',
];

const outcomes = new Set<string>();

it.each(seeds)(
  'service and model agree, seed %d',
  async (seed) => {
    const start = performance.now();
    const brought: Outcomes = await runSeed(seed, operations, asked?.length === 1);
    const perSecond = Math.round(operations / ((performance.now() - start) / 1000));
    process.stderr.write(`Seed ${seed}: ${operations} operations agree, ${perSecond} a second.\n`);
    for (const outcome of brought.keys()) outcomes.add(outcome);
    expect([...brought.values()].reduce((sum, times) => sum + times, 0)).toBeGreaterThanOrEqual(operations);
  },
  timeout,
);

// A single seed that is run again need not bring about everything.
if (asked === undefined) {
  it('the small seeds bring about everything that can happen', () => {
    expect(EVERY_OUTCOME.filter((outcome) => !outcomes.has(outcome))).toEqual([]);
  });
}
