/** What the reasons of a reversal mean, and what Finance should do. The notice and the API document have these texts. */
export const REVERSAL_REASONS = {
  refund: {
    meaning: 'the church or the processor gives the money back',
    advice: 'Refund: the money goes back to the giver. Nobody has to do anything else.',
  },
  returned: {
    meaning: 'the bank returned the payment',
    advice: 'Returned payment: tell the giver, who may not know. The bank may charge a fee.',
  },
  chargeback: {
    meaning: 'the giver disputes the payment',
    advice:
      'Chargeback: the giver disputes the payment. Answer the processor in time; if the dispute is won, reinstate the gift.',
  },
  duplicate: {
    meaning: 'the same gift was paid or recorded twice',
    advice: 'Duplicate: check that the other gift is in the books.',
  },
  error: {
    meaning: 'the gift was recorded by mistake',
    advice: 'Error: if the giver did give, see that the correct gift is recorded.',
  },
} as const;

/** Why money is taken back. */
export type ReversalReason = keyof typeof REVERSAL_REASONS;

/** The reasons, as callers send them. */
export const REASON_NAMES = Object.keys(REVERSAL_REASONS) as readonly ReversalReason[];
