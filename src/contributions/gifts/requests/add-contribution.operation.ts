import type { OperationDescription } from '../../../http/index.js';
import { AddContributionAnswer, DryRunAnswer } from './add-contribution.answer.js';

const GIFT = { First: 'John', Last: 'Appleseed', Email: 'john@example.org', Phone: '901-489-0611', Amount: '10.00' };

/** AddContribution in the API's document. */
export const ADD_CONTRIBUTION: OperationDescription = {
  group: 'Gifts',
  id: 'AddContribution',
  summary: 'Record a gift',
  description:
    'Finds the giver, or creates a person, and records the gift. Field names are read in any letter case, and unknown fields are ' +
    'ignored. `null`, blank text and an id of 0 count as left out; texts are trimmed, then measured. ' +
    'Without an `Idempotency-Key` or a `TransactionId` equal gifts are separate gifts.',
  answer: [AddContributionAnswer, DryRunAnswer],
  failures: [
    'already_reversed',
    'unknown_person',
    'person_not_found',
    'fund_not_found',
    'bundle_type_not_found',
    'contribution_type_not_allowed',
    'transaction_id_reused',
    'currency_mismatch',
  ],
  requests: {
    'A gift': GIFT,
    'A gift with your own id of it': { ...GIFT, Source: 'txt2give', TransactionId: 'T-20260726-0042' },
    'A gift of a day, with notes and an address': {
      ...GIFT,
      Date: '2026-07-26',
      Notes: 'For the roof',
      Address: '1 Main Street\nMemphis',
      Zip: '38103',
    },
  },
};
