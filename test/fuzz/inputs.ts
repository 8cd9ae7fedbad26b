import fc from 'fast-check';
import { bytesOfBody } from './changes/bytes.js';
import { headersOfAny, headersOfBatch, headersOfGift } from './changes/headers.js';
import { pathOfBatch, pathOfGift, pathOfReversal, queryOfReversal } from './changes/paths.js';
import { structureOfBody } from './changes/structure.js';
import { valueOfCorrection, valueOfDeposit, valueOfField } from './changes/values.js';
import { bytesOnTheLine } from './changes/wire.js';
import type { Change, Input } from './request.js';
import { batch, correction, deposit, gift, partialReversal, reversal } from './valid-calls.js';

const none = fc.constant<Change>({ kind: 'none', statuses: [200] });

const changed = (
  call: typeof gift,
  changes: readonly { arbitrary: fc.Arbitrary<Change>; weight: number }[],
): fc.Arbitrary<Input> => fc.record({ call, change: fc.oneof(...changes) });

const gifts = changed(gift, [
  { arbitrary: none, weight: 4 },
  { arbitrary: bytesOfBody, weight: 20 },
  { arbitrary: structureOfBody, weight: 20 },
  { arbitrary: valueOfField, weight: 26 },
  { arbitrary: headersOfGift, weight: 14 },
  { arbitrary: pathOfGift, weight: 10 },
  { arbitrary: bytesOnTheLine, weight: 6 },
]);

const reversals = changed(reversal, [
  { arbitrary: none, weight: 10 },
  { arbitrary: pathOfReversal, weight: 55 },
  { arbitrary: headersOfAny, weight: 25 },
  { arbitrary: bytesOnTheLine, weight: 10 },
]);

const batches = changed(batch, [
  { arbitrary: none, weight: 10 },
  { arbitrary: bytesOfBody, weight: 20 },
  { arbitrary: structureOfBody, weight: 20 },
  { arbitrary: valueOfField, weight: 30 },
  { arbitrary: headersOfBatch, weight: 8 },
  { arbitrary: pathOfBatch, weight: 8 },
  { arbitrary: bytesOnTheLine, weight: 4 },
]);

const partialReversals = changed(partialReversal, [
  { arbitrary: none, weight: 20 },
  { arbitrary: queryOfReversal, weight: 60 },
  { arbitrary: headersOfAny, weight: 10 },
  { arbitrary: bytesOnTheLine, weight: 10 },
]);

const corrections = changed(correction, [
  { arbitrary: none, weight: 20 },
  { arbitrary: bytesOfBody, weight: 25 },
  { arbitrary: valueOfCorrection, weight: 40 },
  { arbitrary: headersOfAny, weight: 15 },
]);

const deposits = changed(deposit, [
  { arbitrary: none, weight: 20 },
  { arbitrary: bytesOfBody, weight: 25 },
  { arbitrary: valueOfDeposit, weight: 40 },
  { arbitrary: headersOfBatch, weight: 15 },
]);

/** A valid call with one change. */
export const input: fc.Arbitrary<Input> = fc.oneof(
  { arbitrary: gifts, weight: 8 },
  { arbitrary: batches, weight: 2 },
  { arbitrary: reversals, weight: 2 },
  { arbitrary: partialReversals, weight: 2 },
  { arbitrary: corrections, weight: 2 },
  { arbitrary: deposits, weight: 2 },
);
