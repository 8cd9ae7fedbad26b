import { REASON_NAMES, type ReversalReason } from '../../events/index.js';
import { anyCaseOf, day, filterId, fieldReader, OptionalField, text } from '../../../http/index.js';
import { STATUSES } from '../contribution-view.js';
import { amountLeniency, amountSchema, fault, readAmount, type StoredAmount } from '../../../values/index.js';
import { PAYMENT_METHODS, type PaymentMethod } from '../../ledger/index.js';

/** An amount, written as in a gift. */
export const amount = fieldReader(
  ({ minorUnits }) => amountSchema(minorUnits),
  (value, { minorUnits }) =>
    /^\s*[-\u{2212}]/u.test(String(value))
      ? fault('must have no sign: 10 also finds entries of -10')
      : readAmount(value, minorUnits),
  ({ minorUnits }) => amountLeniency(minorUnits),
);

/** The filters that the list of contributions and the search for gifts have in common. */
export class FilterRequest {
  @OptionalField(filterId, {
    description: 'Only gifts of this person. The id of a merged person selects those of the surviving person.',
    examples: [152],
  })
  peopleId?: number;

  @OptionalField(filterId, { description: 'Only contributions in this bundle.', examples: [7] })
  bundleId?: number;

  @OptionalField(text(100), { description: 'Only contributions with exactly this source.', examples: ['txt2give'] })
  source?: string;

  @OptionalField(text(100), {
    description: 'Only the gift with exactly this `TransactionId`, with all parts of a split payment.',
    examples: ['T-1001'],
  })
  transactionId?: string;

  @OptionalField(anyCaseOf(STATUSES), { description: 'Only contributions with this status.', examples: ['Recorded'] })
  status?: (typeof STATUSES)[number];

  @OptionalField(anyCaseOf(PAYMENT_METHODS), {
    description: 'Only entries of payments with this method.',
    examples: ['check'],
  })
  method?: PaymentMethod;

  @OptionalField(text(100), {
    description: 'Only entries of payments with exactly this `PayoutId`.',
    examples: ['po_7'],
  })
  payoutId?: string;

  @OptionalField(text(20), {
    description: 'Only entries of payments with exactly this `CheckNumber`.',
    examples: ['1042'],
  })
  checkNumber?: string;

  @OptionalField(amount, {
    description: 'Only contributions of this amount or more, without sign.',
    examples: ['1000'],
  })
  minAmount?: StoredAmount;

  @OptionalField(amount, {
    description: 'Only contributions of this amount or less, without sign.',
    examples: ['5000'],
  })
  maxAmount?: StoredAmount;

  @OptionalField(anyCaseOf(REASON_NAMES), {
    description: 'Only reversing entries with this reason, and the gifts that they reverse, wholly or in part.',
    examples: ['chargeback'],
  })
  reason?: ReversalReason;

  @OptionalField(day, { description: 'Only gifts of this day or later, church time.', examples: ['2026-07-01'] })
  from?: string;

  @OptionalField(day, { description: 'Only gifts of this day or earlier, church time.', examples: ['2026-07-31'] })
  to?: string;
}
