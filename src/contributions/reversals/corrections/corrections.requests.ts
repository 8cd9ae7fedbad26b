import { id, IgnoresNothing, lines, OptionalField, RequiredField } from '../../../http/index.js';
import type { StoredAmount } from '../../../values/index.js';
import type { ReversalReason } from '../../events/index.js';
import { amountToTakeBack, reason, REASONS_IN_WORDS } from '../reversal.request.js';

/** The body of ReverseAsFinance. */
@IgnoresNothing('Note')
export class ReverseAsFinanceRequest {
  @OptionalField(amountToTakeBack, {
    description:
      'How much to take back. The default is all that is left. Of a split gift, each part gives in proportion to what is ' +
      'left of it.',
    examples: ['20.00'],
  })
  Amount?: StoredAmount;

  @OptionalField(id, { description: 'Takes back only what is left in this fund.', examples: [1] })
  FundId?: number;

  @OptionalField(amountToTakeBack, {
    description: 'What is left of the payment, as you have seen it. If it is not so by now, nothing is reversed.',
    examples: ['100.00'],
  })
  Left?: StoredAmount;

  @RequiredField(reason, { description: `Why. ${REASONS_IN_WORDS}.`, examples: ['returned'] })
  Reason!: ReversalReason;

  @OptionalField(lines(4000), {
    description: 'Stored with the reversing entries. The user who added the gift can read it, too.',
    examples: ['Check 1042 bounced'],
  })
  Note?: string;
}

/** The body of ReinstateContribution, which may be missing. */
@IgnoresNothing('Note')
export class ReinstateRequest {
  @OptionalField(lines(4000), {
    description: 'Stored with the new gifts. The user who added the gift can read it, too.',
    examples: ['Dispute du_1042 won'],
  })
  Note?: string;
}

/** The body of MoveContribution. */
@IgnoresNothing()
export class MoveRequest {
  @RequiredField(id, { description: 'The fund that the gift is for.', examples: [2] })
  FundId!: number;

  @OptionalField(amountToTakeBack, {
    description: 'What is left of the payment, as you have seen it. If it is not so by now, nothing is moved.',
    examples: ['100.00'],
  })
  Left?: StoredAmount;

  @OptionalField(id, {
    description:
      'The fund in which all that is left is, as you have seen it. If it is not so by now, nothing is moved.',
    examples: [1],
  })
  FromFundId?: number;

  @RequiredField(lines(4000), {
    description: 'Why. Stored with the entries. The user who added the gift can read it, too.',
    examples: ['The giver meant the roof'],
  })
  Reason!: string;
}
