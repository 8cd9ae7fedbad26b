import { TransactionIdReusedError } from '../../gifts/index.js';
import { AmbiguousRowError, ReadInChurchTimeError } from '../errors.js';
import type { ImportContext, NewRow } from '../import-row.js';
import { type Outcome, refusedOutcome } from '../results/row-outcome.js';

/** Why a row must not be recorded, as far as the gifts tell that were recorded before the import; otherwise undefined. */
export function refusalBefore({ ids }: ImportContext, row: NewRow): Outcome | undefined {
  const { derived, request, earlierReadings } = row;
  // This row may be a changed version of a row that is already recorded.
  if (derived !== undefined && ids.isAmbiguous(derived.alikeKey, request))
    return refusedOutcome(new AmbiguousRowError());
  // An earlier import, which named no time zone, has already recorded this row.
  const inChurchTime = earlierReadings['in church time'];
  return inChurchTime === undefined ? undefined : refusedOutcome(new ReadInChurchTimeError(inChurchTime));
}

/** The outcome of a row that was refused when it was to be recorded. */
export function refusalOf({ ids }: ImportContext, { derived }: NewRow, error: unknown): Outcome {
  if (derived === undefined || !(error instanceof TransactionIdReusedError)) return refusedOutcome(error);
  // Meanwhile another import has recorded a gift with this row's derived id, but with other content. It may also
  // have recorded other rows with the same alike key, so these are refused from now on.
  ids.markTaken(derived.alikeKey);
  return refusedOutcome(new AmbiguousRowError());
}
