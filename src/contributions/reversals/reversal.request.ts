import { anyCaseOf, fieldReader, filterId, OptionalField, text } from '../../http/index.js';
import { amountLeniency, amountSchema, readAmount, STORED_DECIMALS, type StoredAmount } from '../../values/index.js';
import { REASON_NAMES, REVERSAL_REASONS, type ReversalReason } from '../events/index.js';

/**
 * An amount to take back, in the currency of the gift. This may be a former one of the church with other decimals, so the
 * use case checks the decimals.
 */
export const amountToTakeBack = fieldReader(
  amountSchema(STORED_DECIMALS),
  (value) => readAmount(value, STORED_DECIMALS, 'it is the amount to take back'),
  amountLeniency(STORED_DECIMALS),
);

export const reason = anyCaseOf(REASON_NAMES);

/** "`refund`: the church or …; `returned`: …" */
export const REASONS_IN_WORDS = Object.entries(REVERSAL_REASONS)
  .map(([name, { meaning }]) => `\`${name}\`: ${meaning}`)
  .join('; ');

/** The query of a reversal. */
export class ReversalRequest {
  @OptionalField(amountToTakeBack, {
    description:
      'How much to take back. The default is all that is left. Of a split gift, each part gives in proportion to what is ' +
      'left of it. Send `refundId` or an `Idempotency-Key` with it: otherwise a repeated call takes the amount back twice.',
    examples: ['20.00'],
  })
  amount?: StoredAmount;

  @OptionalField(reason, { description: `Why, for Finance. ${REASONS_IN_WORDS}.`, examples: ['refund'] })
  reason?: ReversalReason;

  @OptionalField(filterId, { description: 'Takes back only what is left in this fund.', examples: [1] })
  fundId?: number;

  @OptionalField(text(100), {
    description:
      'Your own id of the refund, 1 to 100 characters, unique for your user and this source. A repeated call with it gets ' +
      'the first answer.',
    examples: ['re_3MmlLrLkdIwHu7ix0uke3Ezy'],
  })
  refundId?: string;
}

type SentReversal = Pick<ReversalRequest, 'amount' | 'reason' | 'fundId' | 'refundId'>;

/** The parameters that were sent, as a plain object. */
export function sentReversal({ amount, reason, fundId, refundId }: ReversalRequest): SentReversal {
  return {
    ...(amount !== undefined && { amount }),
    ...(reason !== undefined && { reason }),
    ...(fundId !== undefined && { fundId }),
    ...(refundId !== undefined && { refundId }),
  };
}
