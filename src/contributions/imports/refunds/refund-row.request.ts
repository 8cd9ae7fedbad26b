import { fieldReader, id, OptionalField, RequiredField, text } from '../../../http/index.js';
import { MAX_FUND_NAME } from '../../funds/index.js';
import { amountSchema, readAmount, STORED_DECIMALS, type StoredAmount } from '../../../values/index.js';

/** An amount that was taken back, in the currency of the gift. Files write it with a minus sign or without one. */
const amount = fieldReader(amountSchema(STORED_DECIMALS), (value) =>
  readAmount(typeof value === 'string' ? value.replace(/^\s*[-\u{2212}](?=\d)/u, '') : value, STORED_DECIMALS),
);

/** A row that takes a gift back. */
export class RefundRowRequest {
  @RequiredField(text(100), { description: 'The channel of the gift.', examples: ['txt2give'] })
  Source!: string;

  @RequiredField(text(100), { description: 'The id of the gift.', examples: ['T-20260726-0042'] })
  TransactionId!: string;

  @OptionalField(amount, {
    description: 'How much was taken back. The default is all that is left.',
    examples: ['10.00'],
  })
  Amount?: StoredAmount;

  @OptionalField(id, { description: 'The fund from which it was taken back. The default is all funds.', examples: [1] })
  FundId?: number;

  @OptionalField(text(MAX_FUND_NAME), {
    description: 'The name of the fund, instead of its id.',
    examples: ['Missions'],
  })
  FundName?: string;

  @OptionalField(text(100), {
    description: 'The sender’s own id of the refund, as in `refundId` of ReverseContribution.',
    examples: ['re_1042'],
  })
  RefundId?: string;

  @OptionalField(text(100), {
    description: 'In any notation of a gift’s date. Its day tells refunds of other files apart.',
    examples: ['2026-07-26'],
  })
  Date?: string;
}
