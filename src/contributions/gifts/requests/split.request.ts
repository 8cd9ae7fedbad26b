import { id, lines, OptionalField, RequiredField, text } from '../../../http/index.js';
import { LONGEST, type StoredAmount } from '../../../values/index.js';
import { MAX_FUND_NAME } from '../../funds/index.js';
import { amount } from './gift-fields.js';

/** The most parts of a payment. */
export const MAX_SPLITS = 20;

/** A part of a payment that goes to several funds. */
export class SplitRequest {
  @OptionalField(id, { description: 'A fund of the church. The default is its default fund.', examples: [1] })
  FundId?: number;

  @OptionalField(text(MAX_FUND_NAME), {
    description: 'The name of the fund, instead of its id.',
    examples: ['Missions'],
  })
  FundName?: string;

  @RequiredField(amount, {
    description: 'Of this part. All parts add up to the `Amount` of the gift.',
    examples: ['60.00'],
  })
  Amount!: StoredAmount;

  @OptionalField(lines(LONGEST.notes), {
    description: 'Stored with this part. The default is the `Notes` of the gift.',
    examples: ['For the roof'],
  })
  Notes?: string;

  @OptionalField(id, {
    description: 'The type of this part. The default is the `ContributionTypeId` of the gift.',
    examples: [1],
  })
  ContributionTypeId?: number;
}
