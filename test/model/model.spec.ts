import { expect, it } from '@jest/globals';
import { type Outcomes, runSeed } from './run-seed.js';

/** The seeds of `npm run test:model`. They are fixed by default, so a failure in CI comes from the tested change. */
const asked = process.env['MODEL_SEEDS']?.split(',').map(Number);
const seeds = asked ?? [1, 2, 3];
const operations = Number(process.env['MODEL_OPERATIONS'] ?? 450);
const timeout = 60_000 + 200 * operations;

/** The outcomes that the default seeds must have, so that the comparison covers them. */
const EVERY_OUTCOME = [
  'add: new person',
  'add: several matches',
  'add: done',
  'add: replayed',
  'add: replayed although reversed',
  'add: replayed although moved',
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
  'dry run: invalid_request',
  'add: split',
  'add batch: new person',
  'add batch: done',
  'add batch: replayed',
  'add batch: invalid_request',
  'add batch: fund_not_found',
  'add batch: transaction_id_reused',
  'add batch: already_reversed',
  'reverse: done',
  'reverse: in part',
  'reverse: of several gifts',
  'reverse: of a reinstatement',
  'reverse: of a moved gift',
  'reverse: replayed',
  'reverse: contribution_not_found',
  'reverse: already_reversed',
  'reverse: not_reversible',
  'reverse: reversal_exceeds_gift',
  'reverse: idempotency_key_reused',
  'reverse: transaction_id_reused',
  'reverse transaction: done',
  'reverse transaction: in part',
  'reverse transaction: replayed',
  'reverse transaction: contribution_not_found',
  'reverse transaction: already_reversed',
  'reverse as finance: done',
  'reverse as finance: invalid_request',
  'reverse as finance: already_reversed',
  'reinstate: done',
  'reinstate: replayed',
  'reinstate: not_reinstatable',
  'move: done',
  'move: replayed',
  'move: not_movable',
  'move: fund_not_found',
  'send deposit: done',
  'send deposit: replayed',
  'send deposit: deposit_id_reused',
  'send deposit: deposit_item_not_found',
  'send deposit: in_other_deposit',
  'enter bank: done',
  'enter bank: deposit_reconciled',
  'adjust deposit: done',
  'adjust deposit: deposit_reconciled',
  'reconcile deposit: done',
  'reconcile deposit: deposit_differs',
  'list: done',
  'read giving: done',
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
  'service and model agree for seed %d',
  async (seed) => {
    const start = performance.now();
    const seedOutcomes: Outcomes = await runSeed(seed, operations, asked?.length === 1);
    const perSecond = Math.round(operations / ((performance.now() - start) / 1000));
    process.stderr.write(`Seed ${seed}: ${operations} operations agree, ${perSecond} a second.\n`);
    for (const outcome of seedOutcomes.keys()) outcomes.add(outcome);
    expect([...seedOutcomes.values()].reduce((sum, times) => sum + times, 0)).toBeGreaterThanOrEqual(operations);
  },
  timeout,
);

// Chosen seeds need not have all outcomes.
if (asked === undefined) {
  it('the default seeds have all outcomes', () => {
    expect(EVERY_OUTCOME.filter((outcome) => !outcomes.has(outcome))).toEqual([]);
  });
}
