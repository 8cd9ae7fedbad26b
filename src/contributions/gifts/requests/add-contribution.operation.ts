import type { OperationDescription } from '../../../http/index.js';
import { PreviewAnswer } from '../previews/preview.answer.js';
import { AddContributionAnswer } from './add-contribution.answer.js';
import {
  ALREADY_REVERSED,
  CONTRIBUTION_TYPE_NOT_ALLOWED,
  CURRENCY_MISMATCH,
  TRANSACTION_ID_REUSED,
} from '../errors.js';
import { BUNDLE_TYPE_NOT_FOUND } from '../../bundles/index.js';
import { FUND_NOT_FOUND } from '../../funds/index.js';
import { GIFTS } from '../../ledger/index.js';
import { PERSON_NOT_FOUND, UNKNOWN_PERSON } from '../../../people/index.js';

const GIFT = { First: 'John', Last: 'Appleseed', Email: 'john@example.org', Phone: '901-489-0611', Amount: '10.00' };

const FAILURES = [
  ALREADY_REVERSED,
  UNKNOWN_PERSON,
  PERSON_NOT_FOUND,
  FUND_NOT_FOUND,
  BUNDLE_TYPE_NOT_FOUND,
  CONTRIBUTION_TYPE_NOT_ALLOWED,
  TRANSACTION_ID_REUSED,
  CURRENCY_MISMATCH,
];

/** AddContribution in the OpenAPI document. */
export const ADD_CONTRIBUTION: OperationDescription = {
  group: GIFTS,
  id: 'AddContribution',
  summary: 'Record a gift',
  description:
    'Finds the giver, or creates a person, and records the gift. ' +
    'Without an `Idempotency-Key` or a `TransactionId`, equal gifts are separate gifts.',
  answer: AddContributionAnswer,
  failures: FAILURES,
  requests: {
    'A gift': GIFT,
    'A gift with your own id': { ...GIFT, Source: 'txt2give', TransactionId: 'T-20260726-0042' },
    'A gift with a date, notes and an address': {
      ...GIFT,
      Date: '2026-07-26',
      Notes: 'For the roof',
      Address: '1 Main Street\nMemphis',
      Zip: '38103',
    },
  },
};

/** PreviewContribution in the OpenAPI document. */
export const PREVIEW_CONTRIBUTION: OperationDescription = {
  group: GIFTS,
  id: 'PreviewContribution',
  summary: 'Check a gift without recording it',
  description:
    'Checks the fields and finds the giver as AddContribution does, with the same failures. Nothing is stored, and ' +
    'nobody is notified.',
  answer: PreviewAnswer,
  failures: FAILURES,
  requests: { 'A gift': GIFT },
};
